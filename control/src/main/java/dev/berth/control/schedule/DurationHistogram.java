package dev.berth.control.schedule;

/// Histogram of durations with buckets that grow by 20 %. One thread writes; copies can be read by
/// any thread.
public final class DurationHistogram {

    private static final int BUCKETS = 200;
    private static final double STEP = 1.2;
    private static final double FIRST_NANOS = 100;

    private final long[] counts;

    DurationHistogram() {
        this(new long[BUCKETS]);
    }

    private DurationHistogram(long[] counts) {
        this.counts = counts;
    }

    void add(long nanos) {
        var steps = Math.log(Math.max(1, nanos / FIRST_NANOS)) / Math.log(STEP);
        counts[Math.clamp((int) Math.ceil(steps), 0, BUCKETS - 1)]++;
    }

    DurationHistogram copy() {
        return new DurationHistogram(counts.clone());
    }

    /// The durations added after an earlier copy.
    public DurationHistogram since(DurationHistogram before) {
        var more = counts.clone();
        for (var i = 0; i < BUCKETS; i++) {
            more[i] -= before.counts[i];
        }
        return new DurationHistogram(more);
    }

    /// A quantile in milliseconds.
    public double millis(double share) {
        var total = 0L;
        for (var count : counts) {
            total += count;
        }
        var rest = Math.ceil(total * share);
        for (var i = 0; i < BUCKETS; i++) {
            rest -= counts[i];
            if (rest <= 0) {
                return total == 0 ? 0 : FIRST_NANOS * Math.pow(STEP, i) / 1e6;
            }
        }
        return FIRST_NANOS * Math.pow(STEP, BUCKETS) / 1e6;
    }
}
