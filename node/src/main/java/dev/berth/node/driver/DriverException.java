package dev.berth.node.driver;

/// A driver failed to start; the message names the remedy.
public final class DriverException extends Exception {

    private static final long serialVersionUID = 1;

    DriverException(String message) {
        super(message);
    }

    DriverException(String message, Throwable cause) {
        super(message, cause);
    }
}
