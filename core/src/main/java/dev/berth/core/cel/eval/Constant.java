package dev.berth.core.cel.eval;

/// A literal, or something that the cost model treats as one.
final class Constant extends Node {

    final Object value;

    Constant(Object value) {
        this.value = value;
    }

    @Override
    Object eval(Frame frame) {
        return value;
    }
}
