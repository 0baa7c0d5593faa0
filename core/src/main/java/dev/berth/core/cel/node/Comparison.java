package dev.berth.core.cel.node;

import dev.berth.core.cel.library.CelValues;
import dev.berth.core.cel.value.Arithmetic;

/// `<`, `<=`, `>` and `>=`.
public final class Comparison extends BinaryNode {

    /// The signs of the order for which the comparison is true.
    public enum Operator {
        LESS("_<_"),
        LESS_OR_EQUAL("_<=_"),
        GREATER("_>_"),
        GREATER_OR_EQUAL("_>=_");

        private final String function;

        Operator(String function) {
            this.function = function;
        }

        private boolean accepts(long order) {
            return switch (this) {
                case LESS -> order < 0;
                case LESS_OR_EQUAL -> order <= 0;
                case GREATER -> order > 0;
                case GREATER_OR_EQUAL -> order >= 0;
            };
        }
    }

    private final Operator operator;
    private final StandardCallCost cost;

    public Comparison(
            ExpressionNode left, ExpressionNode right, Operator operator, StandardCallCost cost) {
        super(left, right);
        this.operator = operator;
        this.cost = cost;
    }

    @Override
    long cost(Object a, Object b) {
        return cost.of(a, b);
    }

    @Override
    Object apply(EvaluationFrame frame, Object a, Object b) {
        if (a instanceof Long x && b instanceof Long y) {
            return operator.accepts(Long.compare(x, y));
        }
        if (!CelValues.isComparable(a)) {
            return Arithmetic.noSuch(operator.function);
        }
        var order = CelValues.compare(a, b);
        return order instanceof Long number ? (Object) operator.accepts(number) : order;
    }
}
