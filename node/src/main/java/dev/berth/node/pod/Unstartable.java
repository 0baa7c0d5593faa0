package dev.berth.node.pod;

/// A container cannot be started as it is, with what is wrong and what to do in the message.
public final class Unstartable extends Exception {

    private static final long serialVersionUID = 1;

    private final String reason;

    /// @param reason one word, as the pod's status shows it
    public Unstartable(String reason, String message) {
        super(message);
        this.reason = reason;
    }

    /// Something that the container's description refers to is not there or makes no sense.
    public static Unstartable config(String message) {
        return new Unstartable("CreateContainerConfigError", message);
    }

    public String reason() {
        return reason;
    }
}
