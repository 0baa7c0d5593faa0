package dev.berth.core.cel;

import dev.berth.core.cel.Compilation.Compiled;
import dev.berth.core.cel.cost.CostEstimator;
import dev.berth.core.cel.library.Libraries;
import dev.berth.core.cel.library.Overload;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Compiles the source of a selector or derived attribute: parses, type-checks and estimates the
/// cost, or reports the compile error.
///
/// Construction takes milliseconds, so instances should be reused. Thread-safe. Recent compilations
/// are cached, since claims of one template have the same expressions.
public final class CelCompiler {

    /// Maximum length of new expressions at admission, in bytes.
    public static final int MAX_LENGTH_BYTES = 10_240;

    /// Cost limit: maximum estimated cost at admission, and maximum actual cost of an evaluation.
    public static final long MAX_COST = 1_000_000;

    /// New expressions must also compile after a downgrade by one minor version, to 1.36.
    private static final int COMPATIBLE_MINOR = 36;

    private final CelEnvironment environment;
    private final CelFeatures features;
    private final DeviceType device;
    private final CelLanguage language;
    private final CompilationCache recent = new CompilationCache();

    public CelCompiler(CelEnvironment environment, CelFeatures features) {
        this.environment = environment;
        this.features = features;
        this.device = new DeviceType(environment, features);
        this.language = CelLanguage.of(device, functions(environment, features));
    }

    private static List<Overload> functions(CelEnvironment environment, CelFeatures features) {
        return Stream.of(Libraries.values())
                .filter(library -> isAvailable(library, environment, features))
                .flatMap(library -> library.overloads().stream())
                .toList();
    }

    private static boolean isAvailable(
            Libraries library, CelEnvironment environment, CelFeatures features) {
        if (environment == CelEnvironment.STORED || library.isIn(COMPATIBLE_MINOR)) {
            return true;
        }
        return library == Libraries.INCLUDES && features.listAttributes();
    }

    /// Compiles a selector, which returns a boolean.
    public Compilation compileSelector(String text) {
        return recent.of(text, ExpressionPurpose.SELECTOR, this::compile);
    }

    /// Compiles the expression of a derived attribute.
    public Compilation compileDerived(String text) {
        return recent.of(text, ExpressionPurpose.DERIVED, this::compile);
    }

    private Compilation compile(String text, ExpressionPurpose purpose) {
        try {
            return check(text, purpose);
        } catch (StackOverflowError e) {
            // The parser limits the depth per grammar rule, but rules nest in each other.
            return Diagnostics.unreadable("expression is nested too deeply");
        } catch (RuntimeException e) {
            // The input is untrusted, so a crash of the parser is reported as a compile error.
            return Diagnostics.internal("unexpected compilation error: " + e);
        }
    }

    private Compilation check(String text, ExpressionPurpose purpose) {
        var parsed = language.parse(text);
        if (parsed.hasError()) {
            return Diagnostics.compilationFailed(parsed);
        }
        var tree = tree(parsed);
        if (TypeSizeEstimate.isExceededBy(tree.getExpr())) {
            return Diagnostics.unreadable("expression has too large types");
        }
        var checked = language.check(tree);
        if (checked.hasError()) {
            return Diagnostics.compilationFailed(checked);
        }
        var ast = tree(checked);
        var issues = LiteralChecks.of(ast);
        if (!issues.isEmpty()) {
            return Diagnostics.compilationFailed(issues, ast.getSource());
        }
        var wrongType =
                switch (purpose) {
                    case SELECTOR -> selectorProblem(ast.getResultType());
                    case DERIVED -> derivedProblem(ast.getResultType());
                };
        if (wrongType.isPresent()) {
            return Diagnostics.invalid(wrongType.get());
        }
        var cost = CostEstimator.of(ast, new DeviceSizes(), language::estimate);
        var expression = new CheckedExpression(text, purpose, environment, ast, cost.max());
        return CelProgram.of(expression)
                .fault()
                .<Compilation>map(
                        fault -> Diagnostics.internal("program instantiation failed: " + fault))
                .orElseGet(() -> new Compiled(expression));
    }

    private static CelAbstractSyntaxTree tree(CelValidationResult result) {
        try {
            return result.getAst();
        } catch (CelValidationException e) {
            throw new IllegalStateException("a result without errors has no syntax tree", e);
        }
    }

    private Optional<String> selectorProblem(CelType type) {
        return type.equals(SimpleType.BOOL) || type.equals(device.attribute())
                ? Optional.empty()
                : Optional.of(
                        "must evaluate to bool or the unknown type, not " + TypeNames.formal(type));
    }

    private Optional<String> derivedProblem(CelType type) {
        var lists = environment == CelEnvironment.STORED || features.listAttributes();
        var scalar = lists && type.kind() == CelKind.LIST ? type.parameters().getFirst() : type;
        if (isAttributeScalar(scalar)) {
            return Optional.empty();
        }
        return Optional.of(
                "must evaluate to a primitive scalar (string, integer, boolean, semver)"
                        + (lists ? " or a list of these scalars" : "")
                        + ", not "
                        + TypeNames.formal(type));
    }

    private static boolean isAttributeScalar(CelType type) {
        return switch (type.kind()) {
            case BOOL, INT, STRING, ANY, DYN -> true;
            default -> type.name().equals("kubernetes.Semver");
        };
    }
}
