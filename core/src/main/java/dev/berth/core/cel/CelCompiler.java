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

/// Turns the text of a selector or of a derived attribute into a checked expression, or says why
/// not.
///
/// Building one takes milliseconds, so keep it: it may be shared, and it remembers what it has
/// compiled lately, since claims of one template all say the same.
public final class CelCompiler {

    /// The longest text that admission accepts in new expressions, in bytes.
    public static final int MAX_LENGTH_BYTES = 10_240;

    /// The worst case that admission accepts, and the most that an evaluation may cost.
    public static final long MAX_COST = 1_000_000;

    /// New expressions must still make sense after a downgrade by one minor version, to 1.36.
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

    /// An expression that tells whether a device fits.
    public Compilation compileSelector(String text) {
        return recent.of(text, ExpressionPurpose.SELECTOR, this::compile);
    }

    /// An expression that computes an attribute.
    public Compilation compileDerived(String text) {
        return recent.of(text, ExpressionPurpose.DERIVED, this::compile);
    }

    private Compilation compile(String text, ExpressionPurpose purpose) {
        try {
            return check(text, purpose);
        } catch (StackOverflowError e) {
            // The parser limits depth rule by rule, but rules nest in each other.
            return Diagnostics.unreadable("expression is nested too deeply");
        } catch (RuntimeException e) {
            // Anybody may send any text, so a fault of the parser must not become ours.
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
