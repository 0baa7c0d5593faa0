package dev.berth.core.cel;

import dev.berth.core.cel.eval.Evaluator;
import dev.berth.core.cel.library.CelError;
import java.util.List;
import java.util.Optional;

/// A validation rule of a CustomResourceDefinition (`x-kubernetes-validations`): an expression over
/// a value and its old value.
public final class ValidationRule {

    static final String SELF = "self";
    static final String OLD_SELF = "oldSelf";
    static final List<String> INPUTS = List.of(SELF, OLD_SELF);

    /// Result of an evaluation.
    public sealed interface Result {

        long cost();

        record BooleanResult(boolean holds, long cost) implements Result {}

        record StringResult(String text, long cost) implements Result {}

        record Failed(String message, long cost) implements Result {}
    }

    private final String source;
    private final Evaluator evaluator;

    ValidationRule(String source, Evaluator evaluator) {
        this.source = source;
        this.evaluator = evaluator;
    }

    public String source() {
        return source;
    }

    /// Whether this is a transition rule, which applies only when there is an old value.
    public boolean readsOld() {
        return evaluator.readsInput(INPUTS.indexOf(OLD_SELF));
    }

    /// Evaluates the rule on values of [SchemaValues].
    ///
    /// @param old the old value; required by transition rules
    public Result evaluate(Object self, Optional<Object> old) {
        var result = evaluator.evaluate(List.of(Optional.of(self), old));
        var cost = result.cost();
        return switch (result.value()) {
            case Boolean holds -> new Result.BooleanResult(holds, cost);
            case String text -> new Result.StringResult(text, cost);
            case CelError(var message) -> new Result.Failed(message, cost);
            case Object other ->
                    new Result.Failed(
                            "unexpected result of type " + other.getClass().getSimpleName(), cost);
        };
    }
}
