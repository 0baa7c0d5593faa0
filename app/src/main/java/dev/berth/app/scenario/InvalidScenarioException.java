package dev.berth.app.scenario;

/// A scenario that cannot be understood. The message says where and why.
public final class InvalidScenarioException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public InvalidScenarioException(String message) {
        super(message);
    }
}
