package dev.berth.core.admission.validation;

/// The write operation to validate.
public enum Operation {
    CREATE,
    UPDATE,
    /// An update through the `/status` subresource.
    STATUS_UPDATE
}
