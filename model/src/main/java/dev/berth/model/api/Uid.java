package dev.berth.model.api;

/// The identity of one object over its life: another object of the same name has another one.
public record Uid(String value) {

    /// What an object has before it is stored.
    public static final Uid NONE = new Uid("");

    @Override
    public String toString() {
        return value;
    }
}
