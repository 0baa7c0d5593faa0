package dev.berth.core.cel.eval;

import dev.berth.core.cel.library.CelValues;

/// `<`, `<=`, `>` and `>=`.
final class Comparison extends BinaryNode {

    /// Which orders make the comparison true.
    enum Operator {
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
    private final CallPrice price;

    Comparison(ExpressionNode left, ExpressionNode right, Operator operator, CallPrice price) {
        super(left, right);
        this.operator = operator;
        this.price = price;
    }

    @Override
    long price(Object a, Object b) {
        return price.of(a, b);
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
