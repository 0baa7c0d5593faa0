package dev.berth.model.codec;

/// Handling of unknown and duplicate fields.
public enum UnknownFieldPolicy {
    /// They are dropped and reported as warnings; the last duplicate wins.
    LENIENT,
    /// They are errors.
    STRICT
}
