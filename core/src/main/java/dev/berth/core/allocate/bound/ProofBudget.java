package dev.berth.core.allocate.bound;

/// Work budget of infeasibility proofs, so that they cost less than the search that they save: a
/// fixed amount for every search, plus an amount for each search step.
///
/// One unit is the check of one device, some tens of nanoseconds.
public final class ProofBudget {

    private static final long INITIAL = 10_000;
    private static final long PER_STEP = 200;

    private long left = INITIAL;

    /// Adds the budget of one search step.
    public void step() {
        left += PER_STEP;
    }

    void spend(long units) {
        left -= units;
    }

    boolean isLeft() {
        return left > 0;
    }

    /// The remaining budget, limited to `most`.
    int upTo(int most) {
        return (int) Math.max(0, Math.min(left, most));
    }
}
