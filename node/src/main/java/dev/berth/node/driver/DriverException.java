package dev.berth.node.driver;

/// A driver that cannot be started, and what to do about it.
public final class DriverException extends Exception {

    private static final long serialVersionUID = 1;

    DriverException(String message) {
        super(message);
    }

    DriverException(String message, Throwable cause) {
        super(message, cause);
    }
}
