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

/// Turns the text of rules about values into [ValidationRule]s, or says why not.
///
/// Nothing is known of the types of `self` and `oldSelf` before evaluation: a rule that compares a
/// text with a number compiles, and fails when it is evaluated.
public final class ValidationRuleCompiler {

    private static final List<Overload> FUNCTIONS =
            Stream.of(Libraries.values()).flatMap(library -> library.overloads().stream()).toList();

    /// What a rule has to give.
    public enum Answer {
        BOOL(SimpleType.BOOL),
        STRING(SimpleType.STRING);

        private final CelType type;

        Answer(CelType type) {
            this.type = type;
        }
    }

    /// What came of compiling.
    public sealed interface Result {

        record Ready(ValidationRule rule) implements Result {}

        /// It cannot be used.
        ///
        /// @param detail the text that the API shows
        record Wrong(String detail) implements Result {}
    }

    private final CelLanguage language;

    private ValidationRuleCompiler(CelType old) {
        this.language =
                CelLanguage.of(
                        Map.of(ValidationRule.SELF, SimpleType.DYN, ValidationRule.OLD_SELF, old),
                        FUNCTIONS);
    }

    /// For rules whose `oldSelf` is a value.
    public static ValidationRuleCompiler withOld() {
        return new ValidationRuleCompiler(SimpleType.DYN);
    }

    /// For rules whose `oldSelf` may be missing: it is an optional value.
    public static ValidationRuleCompiler withOptionalOld() {
        return new ValidationRuleCompiler(OptionalType.create(SimpleType.DYN));
    }

    public Result compile(String text, Answer answer) {
        try {
            return check(text, answer);
        } catch (StackOverflowError e) {
            return new Result.Wrong("compilation failed: expression is nested too deeply");
        } catch (RuntimeException e) {
            // Anybody may send any text, so a fault of the parser must not become ours.
            return new Result.Wrong("compilation failed: unexpected compilation error: " + e);
        }
    }

    private Result check(String text, Answer answer) {
        var parsed = language.parse(text);
        if (parsed.hasError()) {
            return new Result.Wrong(Diagnostics.compilationFailed(parsed).detail());
        }
        var tree = tree(parsed);
        if (TypeSizeEstimate.isExceededBy(tree.getExpr())) {
            return new Result.Wrong("compilation failed: expression has too large types");
        }
        var checked = language.check(tree);
        if (checked.hasError()) {
            return new Result.Wrong(Diagnostics.compilationFailed(checked).detail());
        }
        var ast = tree(checked);
        var type = ast.getResultType();
        if (!type.equals(answer.type) && !type.equals(SimpleType.DYN)) {
            return new Result.Wrong(
                    "must evaluate to %s, not %s"
                            .formatted(TypeNames.formal(answer.type), TypeNames.formal(type)));
        }
        var evaluator = Evaluator.of(text, ast, FUNCTIONS, ValidationRule.INPUTS);
        return evaluator
                .fault()
                .<Result>map(fault -> new Result.Wrong("program instantiation failed: " + fault))
                .orElseGet(() -> new Result.Ready(new ValidationRule(text, evaluator)));
    }

    private static CelAbstractSyntaxTree tree(CelValidationResult result) {
        try {
            return result.getAst();
        } catch (CelValidationException e) {
            throw new IllegalStateException("a result without errors has no syntax tree", e);
        }
    }
}
