package dev.berth.schema.protobuf;

import com.google.protobuf.InvalidProtocolBufferException;

/// A part of a protobuf body that is not decoded. Nothing is skipped: a body that replaces a stored
/// object would remove the skipped fields from it.
final class UndecodedField extends InvalidProtocolBufferException {
    private static final long serialVersionUID = 1L;

    private final String path;
    private final String part;

    /// @param part the field in the message at hand, such as `field 14`
    UndecodedField(String part) {
        this("", part);
    }

    private UndecodedField(String path, String part) {
        super(part + " is not decoded");
        this.path = path;
        this.part = part;
    }

    /// The same field as seen from the object that has this message as its field.
    UndecodedField below(String field) {
        return new UndecodedField(path.isEmpty() ? field : field + "." + path, part);
    }

    /// What is not decoded, with its path: `spec.template.spec field 14`.
    String description() {
        return path.isEmpty() ? part : path + " " + part;
    }
}
