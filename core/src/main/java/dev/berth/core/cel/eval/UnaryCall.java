package dev.berth.core.cel.eval;

import dev.berth.core.cel.library.Failure;
import java.util.List;
import java.util.function.UnaryOperator;

/// A standard function of one argument.
final class UnaryCall extends Node {

    final Node argument;
    private final UnaryOperator<Object> function;
    private final Price price;

    UnaryCall(Node argument, Price price, UnaryOperator<Object> function) {
        this.argument = argument;
        this.price = price;
        this.function = function;
    }

    @Override
    List<Node> children() {
        return List.of(argument);
    }

    @Override
    Object eval(Frame frame) {
        var value = argument.eval(frame);
        var result = value instanceof Failure ? value : function.apply(value);
        frame.charge(price.of(value, value));
        return result;
    }
}
