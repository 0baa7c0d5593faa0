package dev.berth.drivers.sim;

/// A text about faults that says something impossible.
public final class InvalidFaultsException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public InvalidFaultsException(String message) {
        super(message);
    }
}
