package dev.berth.core.admission;

/// What a writer wants to do with an object.
public enum Operation {
    CREATE,
    UPDATE,
    /// An update through the `/status` subresource.
    STATUS_UPDATE
}
