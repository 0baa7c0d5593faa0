package dev.berth.node.runtime;

/// A runtime could not do what it was asked to, with what is wrong and what to do in the message,
/// which people see in an event of their pod.
public final class RuntimeFailure extends Exception {

    private static final long serialVersionUID = 1;

    public RuntimeFailure(String message) {
        super(message);
    }

    public RuntimeFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
