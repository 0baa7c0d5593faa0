package dev.berth.core.cel;

/// The environment in which an expression is compiled, as in Kubernetes' `environment.EnvSet`.
public enum CelEnvironment {
    /// For new or changed objects: only features that the previous minor version supports and that
    /// the feature gates enable.
    NEW,
    /// For stored objects: all features.
    STORED
}
