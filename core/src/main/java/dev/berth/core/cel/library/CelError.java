package dev.berth.core.cel.library;

/// An evaluation error as a value, which `&&` and `||` can absorb.
public record CelError(String message) {

    public static CelError noSuchOverload() {
        return new CelError("no such overload");
    }

    public static CelError noSuchKey(Object key) {
        return new CelError("no such key: " + key);
    }
}
