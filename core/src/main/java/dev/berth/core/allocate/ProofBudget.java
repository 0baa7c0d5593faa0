package dev.berth.core.allocate;

/// How much work proofs may be, so that they cost less than the search that they save: some for
/// every question, and more the longer the search takes.
///
/// One unit is a look at one device, some tens of nanoseconds.
final class ProofBudget {

    private static final long AT_FIRST = 10_000;
    private static final long PER_STEP = 200;

    private long left = AT_FIRST;

    /// The search has gone on.
    void step() {
        left += PER_STEP;
    }

    void spend(long units) {
        left -= units;
    }

    boolean isLeft() {
        return left > 0;
    }

    /// What is left, but no more than so much.
    int upTo(int most) {
        return (int) Math.max(0, Math.min(left, most));
    }
}
