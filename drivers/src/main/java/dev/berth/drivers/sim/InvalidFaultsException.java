package dev.berth.drivers.sim;

/// An invalid fault definition.
public final class InvalidFaultsException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public InvalidFaultsException(String message) {
        super(message);
    }
}
