package dev.berth.model.codec;

/// What happens to fields that are not known, or given twice.
public enum UnknownFieldPolicy {
    /// They are left out and reported; of duplicates the last one counts.
    LENIENT,
    /// They refuse the object.
    STRICT
}
