package dev.berth.model.api.meta;

/// UID of an object: a recreated object of the same name has another one.
public record Uid(String value) {

    /// The UID of an object that is not stored yet.
    public static final Uid NONE = new Uid("");

    @Override
    public String toString() {
        return value;
    }
}
