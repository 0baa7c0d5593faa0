package dev.berth.drivers.local;

/// A configuration of drivers that cannot be used, and what is wrong with it.
public final class InvalidConfigException extends Exception {

    private static final long serialVersionUID = 1;

    InvalidConfigException(String message) {
        super(message);
    }
}
