package dev.berth.core.cel;

import dev.berth.core.cel.eval.Evaluator;
import dev.berth.core.cel.library.Libraries;
import dev.berth.core.cel.library.Overload;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Compiles validation rules of CustomResourceDefinitions, or reports the compile error.
///
/// `self` and `oldSelf` are dynamically typed: a rule that compares a string with a number
/// compiles, and fails at evaluation.
public final class ValidationRuleCompiler {

    private static final List<Overload> FUNCTIONS =
            Stream.of(Libraries.values()).flatMap(library -> library.overloads().stream()).toList();

    /// Required result type of a rule.
    public enum ResultType {
        BOOL(SimpleType.BOOL),
        STRING(SimpleType.STRING);

        private final CelType type;

        ResultType(CelType type) {
            this.type = type;
        }
    }

    /// Result of compiling a rule.
    public sealed interface Result {

        record Compiled(ValidationRule rule) implements Result {}

        /// The rule was rejected.
        ///
        /// @param detail error message of the API
        record Rejected(String detail) implements Result {}
    }

    private final CelLanguage language;

    private ValidationRuleCompiler(CelType old) {
        this.language =
                CelLanguage.of(
                        Map.of(ValidationRule.SELF, SimpleType.DYN, ValidationRule.OLD_SELF, old),
                        FUNCTIONS);
    }

    /// A compiler of rules whose `oldSelf` is a plain value.
    public static ValidationRuleCompiler withOld() {
        return new ValidationRuleCompiler(SimpleType.DYN);
    }

    /// A compiler of rules with `optionalOldSelf`, whose `oldSelf` is an optional value.
    public static ValidationRuleCompiler withOptionalOld() {
        return new ValidationRuleCompiler(OptionalType.create(SimpleType.DYN));
    }

    public Result compile(String text, ResultType answer) {
        try {
            return check(text, answer);
        } catch (StackOverflowError e) {
            return new Result.Rejected("compilation failed: expression is nested too deeply");
        } catch (RuntimeException e) {
            // The input is untrusted, so a crash of the parser is reported as a compile error.
            return new Result.Rejected("compilation failed: unexpected compilation error: " + e);
        }
    }

    private Result check(String text, ResultType answer) {
        var parsed = language.parse(text);
        if (parsed.hasError()) {
            return new Result.Rejected(Diagnostics.compilationFailed(parsed).detail());
        }
        var tree = tree(parsed);
        if (TypeSizeEstimate.isExceededBy(tree.getExpr())) {
            return new Result.Rejected("compilation failed: expression has too large types");
        }
        var checked = language.check(tree);
        if (checked.hasError()) {
            return new Result.Rejected(Diagnostics.compilationFailed(checked).detail());
        }
        var ast = tree(checked);
        var type = ast.getResultType();
        if (!type.equals(answer.type) && !type.equals(SimpleType.DYN)) {
            return new Result.Rejected(
                    "must evaluate to %s, not %s"
                            .formatted(TypeNames.formal(answer.type), TypeNames.formal(type)));
        }
        var evaluator = Evaluator.of(text, ast, FUNCTIONS, ValidationRule.INPUTS);
        return evaluator
                .fault()
                .<Result>map(fault -> new Result.Rejected("program instantiation failed: " + fault))
                .orElseGet(() -> new Result.Compiled(new ValidationRule(text, evaluator)));
    }

    private static CelAbstractSyntaxTree tree(CelValidationResult result) {
        try {
            return result.getAst();
        } catch (CelValidationException e) {
            throw new IllegalStateException("a result without errors has no syntax tree", e);
        }
    }
}
