package dev.berth.core.cel;

/// Which of the two sets of rules an expression is compiled with.
public enum CelEnvironment {
    /// What the API server accepts in new or changed objects: only what the previous minor version
    /// understands too, and what the feature gates allow.
    NEW,
    /// What evaluates objects that are already stored: everything there is.
    STORED
}
