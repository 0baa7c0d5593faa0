package dev.berth.core.cel.eval;

/// A call whose arguments are constants: made once, paid for each time.
final class Precomputed extends Node {

    private final Object value;
    private final long cost;

    Precomputed(Object value, long cost) {
        this.value = value;
        this.cost = cost;
    }

    @Override
    Object eval(Frame frame) {
        frame.charge(cost);
        return value;
    }
}
