package dev.berth.core.cel.library;

/// CEL's `null`, which is a value and so travels as one.
public enum NullValue {
    NULL;

    @Override
    public String toString() {
        return "null";
    }
}
