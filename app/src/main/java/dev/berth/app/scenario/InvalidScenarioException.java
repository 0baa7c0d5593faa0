package dev.berth.app.scenario;

/// A scenario file is invalid. The message has the file and the error.
public final class InvalidScenarioException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public InvalidScenarioException(String message) {
        super(message);
    }
}
