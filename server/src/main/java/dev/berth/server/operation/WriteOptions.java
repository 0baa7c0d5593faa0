package dev.berth.server.operation;

/// Options of a create, update, patch or apply.
///
/// @param fieldManager name of the field manager; not empty
/// @param dryRun true to validate and admit the write without storing it
public record WriteOptions(String fieldManager, FieldValidation fieldValidation, boolean dryRun) {

    /// How unknown and duplicate fields are handled.
    public enum FieldValidation {
        IGNORE,
        WARN,
        STRICT
    }

    /// The defaults of the API.
    public static WriteOptions of(String fieldManager) {
        return new WriteOptions(fieldManager, FieldValidation.WARN, false);
    }
}
