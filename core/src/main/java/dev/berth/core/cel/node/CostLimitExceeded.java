package dev.berth.core.cel.node;

/// Aborts an evaluation that exceeds the cost limit.
///
/// Thrown, unlike other errors, since no CEL operator may absorb it. It has no stack trace, because
/// the position in the tree is irrelevant.
public final class CostLimitExceeded extends RuntimeException {

    public static final String MESSAGE = "operation cancelled: actual cost limit exceeded";
    private static final long serialVersionUID = 1L;

    CostLimitExceeded() {
        super(MESSAGE, null, false, false);
    }
}
