package dev.berth.drivers.sim;

/// A hardware profile that says something impossible.
public final class BrokenProfile extends RuntimeException {

    private static final long serialVersionUID = 1;

    public BrokenProfile(String message) {
        super(message);
    }
}
