package dev.berth.core.cel.eval;

import dev.berth.core.cel.library.Failure;
import java.util.List;

/// A chain of `&&` or of `||`. The first term that decides ends it; failures before that do not
/// count. Without such a term the first failure is the result.
final class Junction extends Node {

    final boolean conjunction;
    private final Node[] terms;
    private final Boolean decisive;

    Junction(boolean conjunction, List<Node> terms) {
        this.conjunction = conjunction;
        this.terms = terms.toArray(Node[]::new);
        this.decisive = !conjunction;
    }

    @Override
    List<Node> children() {
        return List.of(terms);
    }

    @Override
    Object eval(Frame frame) {
        Object failure = null;
        for (var term : terms) {
            var value = term.eval(frame);
            if (decisive.equals(value)) {
                return value;
            }
            if (failure == null && !(value instanceof Boolean)) {
                failure = value instanceof Failure ? value : Failure.noSuchOverload();
            }
        }
        return failure == null ? !decisive : failure;
    }
}
