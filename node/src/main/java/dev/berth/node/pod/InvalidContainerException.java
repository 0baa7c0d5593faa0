package dev.berth.node.pod;

/// A container cannot be created as specified; the message names the problem and the remedy.
public final class InvalidContainerException extends Exception {

    private static final long serialVersionUID = 1;

    private final String reason;

    /// @param reason CamelCase reason of the waiting state
    public InvalidContainerException(String reason, String message) {
        super(message);
        this.reason = reason;
    }

    /// An object or field that the container references does not exist or is invalid.
    public static InvalidContainerException config(String message) {
        return new InvalidContainerException("CreateContainerConfigError", message);
    }

    public String reason() {
        return reason;
    }
}
