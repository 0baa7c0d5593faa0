package dev.berth.node.pod;

/// A container cannot be started as it is, with what is wrong and what to do in the message.
public final class InvalidContainerException extends Exception {

    private static final long serialVersionUID = 1;

    private final String reason;

    /// @param reason one word, as the pod's status shows it
    public InvalidContainerException(String reason, String message) {
        super(message);
        this.reason = reason;
    }

    /// Something that the container's description refers to is not there or makes no sense.
    public static InvalidContainerException config(String message) {
        return new InvalidContainerException("CreateContainerConfigError", message);
    }

    public String reason() {
        return reason;
    }
}
