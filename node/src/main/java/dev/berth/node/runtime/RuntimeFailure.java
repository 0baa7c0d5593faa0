package dev.berth.node.runtime;

/// A failed operation of the runtime; the message names the problem and the remedy, and appears in
/// an event of the pod.
public final class RuntimeFailure extends Exception {

    private static final long serialVersionUID = 1;

    public RuntimeFailure(String message) {
        super(message);
    }

    public RuntimeFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
