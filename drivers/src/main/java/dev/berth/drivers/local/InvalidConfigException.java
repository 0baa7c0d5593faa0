package dev.berth.drivers.local;

/// An invalid driver configuration.
public final class InvalidConfigException extends Exception {

    private static final long serialVersionUID = 1;

    InvalidConfigException(String message) {
        super(message);
    }
}
