package dev.berth.drivers.sim;

/// Nodes of a cluster were made from a hardware profile that is not there any more.
public final class UnknownProfileException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public UnknownProfileException(String message) {
        super(message);
    }
}
