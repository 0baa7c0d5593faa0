package dev.berth.node.agent;

/// An action for a pod did not work; it is to be tried again.
final class ActionFailure extends Exception {

    private static final long serialVersionUID = 1;

    private final String reason;

    /// @param reason as the event that was told of it
    ActionFailure(String reason, String message) {
        super(message);
        this.reason = reason;
    }

    String reason() {
        return reason;
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
