package dev.berth.core.cel.library;

/// An evaluation that failed, as a value: CEL's `&&` and `||` may still absorb it.
public record CelError(String message) {

    public static CelError noSuchOverload() {
        return new CelError("no such overload");
    }

    public static CelError noSuchKey(Object key) {
        return new CelError("no such key: " + key);
    }
}
