package dev.berth.core.cel.library;

/// An evaluation that failed, as a value: CEL's `&&` and `||` may still absorb it.
public record Failure(String message) {

    public static Failure noSuchOverload() {
        return new Failure("no such overload");
    }

    public static Failure noSuchKey(Object key) {
        return new Failure("no such key: " + key);
    }
}
