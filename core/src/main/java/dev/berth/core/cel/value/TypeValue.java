package dev.berth.core.cel.value;

/// A type as a value: the result of `type(1)`, and the value of `int`.
public record TypeValue(String name) {

    @Override
    public String toString() {
        return name;
    }
}
