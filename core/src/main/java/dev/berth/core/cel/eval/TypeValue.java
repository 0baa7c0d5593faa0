package dev.berth.core.cel.eval;

/// A type as a value: what `type(1)` gives, and `int` names.
record TypeValue(String name) {

    @Override
    public String toString() {
        return name;
    }
}
