package dev.berth.drivers.sim;

/// A text about faults that says something impossible.
public final class BrokenFaults extends RuntimeException {

    private static final long serialVersionUID = 1;

    public BrokenFaults(String message) {
        super(message);
    }
}
