package dev.berth.schema.protobuf;

/// A protobuf message that cannot be decoded, or an object that has no protobuf encoding. The
/// message says why.
public final class ProtobufException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /// The cause of a failure, as far as callers treat it differently.
    public enum Reason {
        /// The bytes are not a message of the declared kind.
        MALFORMED,
        /// The kind has no protobuf encoding here.
        UNKNOWN_KIND
    }

    private final Reason reason;

    ProtobufException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    static ProtobufException malformed(String message) {
        return new ProtobufException(Reason.MALFORMED, message);
    }

    public Reason reason() {
        return reason;
    }
}
