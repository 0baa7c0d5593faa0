package dev.berth.drivers.sim;

/// A hardware profile that says something impossible.
public final class InvalidProfileException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public InvalidProfileException(String message) {
        super(message);
    }
}
