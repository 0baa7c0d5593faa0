package dev.berth.drivers.sim;

/// Nodes of a cluster use a hardware profile that no longer exists.
public final class UnknownProfileException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public UnknownProfileException(String message) {
        super(message);
    }
}
