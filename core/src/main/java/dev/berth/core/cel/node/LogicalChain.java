package dev.berth.core.cel.node;

import dev.berth.core.cel.library.CelError;
import java.util.List;

/// A chain of `&&` or of `||`. The first deciding term ends it and absorbs earlier errors. Without
/// a deciding term the first error is the result.
public final class LogicalChain extends ExpressionNode {

    public final boolean conjunction;
    private final ExpressionNode[] terms;
    private final Boolean decisive;

    public LogicalChain(boolean conjunction, List<ExpressionNode> terms) {
        this.conjunction = conjunction;
        this.terms = terms.toArray(ExpressionNode[]::new);
        this.decisive = !conjunction;
    }

    @Override
    public List<ExpressionNode> children() {
        return List.of(terms);
    }

    @Override
    public Object eval(EvaluationFrame frame) {
        Object failure = null;
        for (var term : terms) {
            var value = term.eval(frame);
            if (decisive.equals(value)) {
                return value;
            }
            if (failure == null && !(value instanceof Boolean)) {
                failure = value instanceof CelError ? value : CelError.noSuchOverload();
            }
        }
        return failure == null ? !decisive : failure;
    }
}
