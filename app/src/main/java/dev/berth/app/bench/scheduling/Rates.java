package dev.berth.app.bench.scheduling;

import java.util.Arrays;
import java.util.List;

/// How many pods a second were bound.
///
/// @param average over the whole time
/// @param median of the seconds
/// @param worst of the seconds but one in a hundred
/// @param bySecond each whole second
record Rates(
        int pods,
        double seconds,
        double average,
        double median,
        double worst,
        List<Integer> bySecond) {

    private static final double SECOND = 1e9;

    /// @param times of the bindings in nanoseconds from the start
    static Rates of(List<Long> times) {
        if (times.isEmpty()) {
            return new Rates(0, 0, 0, 0, 0, List.of());
        }
        var end = times.getLast() / SECOND;
        var whole = Math.max(1, (int) end);
        var counts = new int[whole];
        for (var time : times) {
            var second = (int) (time / SECOND);
            if (second < whole) {
                counts[second]++;
            }
        }
        var bySecond = Arrays.stream(counts).boxed().toList();
        Arrays.sort(counts);
        return new Rates(
                times.size(),
                end,
                times.size() / end,
                counts[whole / 2],
                counts[whole / 100],
                bySecond);
    }
}
