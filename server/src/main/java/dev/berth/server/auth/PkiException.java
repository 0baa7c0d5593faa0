package dev.berth.server.auth;

/// Keys or certificates on disk cannot be used. The message says what to do.
public final class PkiException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    PkiException(String message, Throwable cause) {
        super(message, cause);
    }

    PkiException(String message) {
        super(message);
    }
}
