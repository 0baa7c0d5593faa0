package dev.berth.model.codec;

/// When a field is written.
enum FieldPresence {
    /// Always, be it empty or zero.
    ALWAYS,
    /// Always; `null` when absent.
    NULLABLE,
    /// When it is neither empty nor zero: the two and absent are the same.
    UNLESS_EMPTY,
    /// When it is there, be it empty or zero.
    WHEN_SET,
    /// Never: the field is known, but nobody has a use for it any more.
    NEVER;

    /// True when something is written even for what is absent.
    boolean isMandatory() {
        return this == ALWAYS || this == NULLABLE;
    }
}
