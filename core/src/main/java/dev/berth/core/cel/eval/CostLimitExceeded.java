package dev.berth.core.cel.eval;

/// Leaves an evaluation that has become too expensive.
///
/// The one thing here that is thrown: no operator of CEL may absorb it, and an exception passes
/// them all. It has no stack trace, for it is no news where in the tree the limit was reached.
final class CostLimitExceeded extends RuntimeException {

    static final String MESSAGE = "operation cancelled: actual cost limit exceeded";
    private static final long serialVersionUID = 1L;

    CostLimitExceeded() {
        super(MESSAGE, null, false, false);
    }
}
