package dev.berth.node.volume;

/// A volume cannot be had, with what is wrong and what to do in the message.
public final class VolumeProblem extends Exception {

    private static final long serialVersionUID = 1;

    public VolumeProblem(String message) {
        super(message);
    }

    public VolumeProblem(String message, Throwable cause) {
        super(message, cause);
    }
}
