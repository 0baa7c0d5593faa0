package dev.berth.node.agent;

/// A pod action failed and is to be retried.
final class ActionFailure extends Exception {

    private static final long serialVersionUID = 1;

    private final String reason;

    /// @param reason the reason of the event that reported it
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
