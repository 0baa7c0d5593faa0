package dev.berth.core.cel.eval;

import dev.berth.core.cel.library.Bytes;
import dev.berth.core.cel.library.Failure;
import java.util.List;

/// `a + b`. Where the checker did not know the types the cost model asks one unit, whatever is
/// joined; the rest of the work is counted as effort, which has its own limit.
final class Addition extends Node {

    final Node left;
    final Node right;
    private final Price price;

    Addition(Node left, Node right, Price price) {
        this.left = left;
        this.right = right;
        this.price = price;
    }

    @Override
    List<Node> children() {
        return List.of(left, right);
    }

    @Override
    Object eval(Frame frame) {
        var a = left.eval(frame);
        var b = right.eval(frame);
        frame.charge(price.of(a, b));
        if (a instanceof Failure) {
            return a;
        }
        if (b instanceof Failure) {
            return b;
        }
        switch (a) {
            case String _, Bytes _ -> frame.exert(Price.BOTH.of(a, b));
            case List<?> list when b instanceof List<?> other ->
                    // Nothing is copied, but a list must be one that can be counted.
                    frame.exert(
                            (long) list.size() + other.size() > Integer.MAX_VALUE / 2
                                    ? Frame.EFFORT_LIMIT + 1
                                    : 0);
            default -> {}
        }
        return Arithmetic.add(a, b);
    }
}
