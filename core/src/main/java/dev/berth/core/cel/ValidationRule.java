package dev.berth.core.cel;

import dev.berth.core.cel.eval.Evaluator;
import dev.berth.core.cel.library.CelError;
import java.util.List;
import java.util.Optional;

/// An expression about a value of any form and about what it was before: what definitions of custom
/// kinds have as `x-kubernetes-validations`.
public final class ValidationRule {

    static final String SELF = "self";
    static final String OLD_SELF = "oldSelf";
    static final List<String> INPUTS = List.of(SELF, OLD_SELF);

    /// What came of an evaluation.
    public sealed interface Verdict {

        long cost();

        record Answered(boolean holds, long cost) implements Verdict {}

        record Said(String text, long cost) implements Verdict {}

        record Failed(String message, long cost) implements Verdict {}
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

    /// True for rules about a change. They mean nothing where there was no value before.
    public boolean readsOld() {
        return evaluator.readsInput(INPUTS.indexOf(OLD_SELF));
    }

    /// Evaluates the rule on values of [SchemaValues].
    ///
    /// @param old what the value was; needed by rules that read it
    public Verdict evaluate(Object self, Optional<Object> old) {
        var result = evaluator.evaluate(List.of(Optional.of(self), old));
        var cost = result.cost();
        return switch (result.value()) {
            case Boolean holds -> new Verdict.Answered(holds, cost);
            case String text -> new Verdict.Said(text, cost);
            case CelError(var message) -> new Verdict.Failed(message, cost);
            case Object other ->
                    new Verdict.Failed(
                            "unexpected result of type " + other.getClass().getSimpleName(), cost);
        };
    }
}
