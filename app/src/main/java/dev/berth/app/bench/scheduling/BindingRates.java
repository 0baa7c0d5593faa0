package dev.berth.app.bench.scheduling;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// How many pods a second were bound.
///
/// @param seconds that counted: all that a steady shape was given, or until the last of a burst
/// @param average over the whole time
/// @param spread of the rate; none when there was no whole second
/// @param bySecond each second; that of the end of a burst may be shorter
record BindingRates(
        int pods, double seconds, double average, Optional<Spread> spread, List<Integer> bySecond) {

    /// What seconds were like, wherever they begin: one is looked at every tenth of a second, so
    /// that a stall counts in full although it does not begin with a second of the clock.
    ///
    /// @param median half of the seconds had more pods
    /// @param slow 99 of 100 seconds had as many pods or more
    record Spread(double median, double slow) {}

    private static final long SECOND = 1_000_000_000;
    private static final long STEP = SECOND / 10;

    BindingRates {
        bySecond = List.copyOf(bySecond);
    }

    /// @param times of the bindings in nanoseconds from the start
    /// @param length of the time that counts, with seconds in which nothing was bound
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
