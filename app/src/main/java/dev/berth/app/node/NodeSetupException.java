package dev.berth.app.node;

import dev.berth.model.text.FailureText;

/// This machine cannot be a node. The message has the problem and its solution.
public final class NodeSetupException extends Exception {

    private static final long serialVersionUID = 1;

    NodeSetupException(Exception cause) {
        super(FailureText.of(cause), cause);
    }
}
