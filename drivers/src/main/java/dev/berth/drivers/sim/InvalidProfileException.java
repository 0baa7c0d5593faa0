package dev.berth.drivers.sim;

/// An invalid hardware profile.
public final class InvalidProfileException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public InvalidProfileException(String message) {
        super(message);
    }
}
