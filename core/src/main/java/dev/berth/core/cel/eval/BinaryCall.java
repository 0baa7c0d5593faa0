package dev.berth.core.cel.eval;

import dev.berth.core.cel.library.Failure;
import java.util.List;
import java.util.function.BinaryOperator;

/// A standard function of two arguments. Both are evaluated, even when the first one fails.
final class BinaryCall extends Node {

    final Node left;
    final Node right;
    private final BinaryOperator<Object> function;
    private final Price price;

    BinaryCall(Node left, Node right, Price price, BinaryOperator<Object> function) {
        this.left = left;
        this.right = right;
        this.price = price;
        this.function = function;
    }

    @Override
    List<Node> children() {
        return List.of(left, right);
    }

    @Override
    Object eval(Frame frame) {
        var a = left.eval(frame);
        var b = right.eval(frame);
        // Charged before the work is done: so a concatenation that is too large is never made.
        frame.charge(price.of(a, b));
        if (a instanceof Failure) {
            return a;
        }
        return b instanceof Failure ? b : function.apply(a, b);
    }
}
