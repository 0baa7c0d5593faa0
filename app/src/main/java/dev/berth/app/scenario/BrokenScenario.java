package dev.berth.app.scenario;

/// A scenario that cannot be understood. The message says where and why.
public final class BrokenScenario extends RuntimeException {

    private static final long serialVersionUID = 1;

    public BrokenScenario(String message) {
        super(message);
    }
}
