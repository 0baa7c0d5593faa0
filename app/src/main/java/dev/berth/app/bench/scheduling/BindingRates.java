package dev.berth.app.bench.scheduling;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Bound pods per second.
///
/// @param seconds measured time: the whole duration of a steady shape, or until the last pod of a
///   burst
/// @param average over the measured time
/// @param spread of the rate; absent if less than one second was measured
/// @param bySecond rate of each second; the last second of a burst may be shorter
record BindingRates(
        int pods, double seconds, double average, Optional<Spread> spread, List<Integer> bySecond) {

    /// Distribution of the rate over windows of one second that start every tenth of a second, so
    /// that a stall counts in full wherever it starts.
    ///
    /// @param median half of the windows have a higher rate
    /// @param slow 99 % of the windows have at least this rate
    record Spread(double median, double slow) {}

    private static final long SECOND = 1_000_000_000;
    private static final long STEP = SECOND / 10;

    BindingRates {
        bySecond = List.copyOf(bySecond);
    }

    /// Computes the rates.
    ///
    /// @param times of bindings in nanoseconds since the start
    /// @param length of the measured time in nanoseconds, including seconds without bindings
    static BindingRates of(List<Long> times, long length) {
        if (length <= 0) {
            return new BindingRates(times.size(), 0, 0, Optional.empty(), List.of());
        }
        var sorted = times.stream().mapToLong(Long::longValue).sorted().toArray();
        return new BindingRates(
                sorted.length,
                (double) length / SECOND,
                (double) sorted.length * SECOND / length,
                spread(sorted, length),
                bySecond(sorted, length));
    }

    private static List<Integer> bySecond(long[] times, long length) {
        var counts = new int[Math.toIntExact(Math.ceilDiv(length, SECOND))];
        for (var time : times) {
            counts[(int) Math.min(time / SECOND, counts.length - 1)]++;
        }
        return Arrays.stream(counts).boxed().toList();
    }

    private static Optional<Spread> spread(long[] times, long length) {
        if (length < SECOND) {
            return Optional.empty();
        }
        var counts = new int[Math.toIntExact((length - SECOND) / STEP + 1)];
        var from = 0;
        var to = 0;
        for (var i = 0; i < counts.length; i++) {
            while (from < times.length && times[from] < i * STEP) {
                from++;
            }
            while (to < times.length && times[to] < i * STEP + SECOND) {
                to++;
            }
            counts[i] = to - from;
        }
        Arrays.sort(counts);
        return Optional.of(new Spread(counts[counts.length / 2], counts[counts.length / 100]));
    }
}
