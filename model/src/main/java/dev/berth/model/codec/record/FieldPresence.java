package dev.berth.model.codec.record;

/// When a field is encoded.
public enum FieldPresence {
    /// Always, even if empty or zero.
    ALWAYS,
    /// Always; `null` when absent.
    NULLABLE,
    /// If neither empty nor zero, which are equivalent to absent (`omitempty`).
    UNLESS_EMPTY,
    /// If present, even if empty or zero (pointer with `omitempty`).
    WHEN_SET,
    /// Never: the field is known but obsolete.
    NEVER
}
