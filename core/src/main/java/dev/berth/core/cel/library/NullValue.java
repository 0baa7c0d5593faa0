package dev.berth.core.cel.library;

/// CEL's `null`, represented as a value.
public enum NullValue {
    NULL;

    @Override
    public String toString() {
        return "null";
    }
}
