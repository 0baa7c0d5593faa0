package dev.berth.metrics;

import java.util.Arrays;

/// Upper bounds of histogram buckets.
public final class Buckets {

    private Buckets() {}

    /// Bounds that grow by a factor.
    public static double[] exponential(double first, double factor, int count) {
        var bounds = new double[count];
        var bound = first;
        for (var i = 0; i < count; i++) {
            bounds[i] = bound;
            bound *= factor;
        }
        return bounds;
    }

    /// Bounds that grow by a factor from the first to the last one.
    public static double[] exponentialRange(double first, double last, int count) {
        return exponential(first, Math.pow(last / first, 1.0 / (count - 1)), count);
    }

    /// Rounds to a number of significant digits, so that labels `le` are short.
    public static double[] rounded(double[] bounds, int digits) {
        return Arrays.stream(bounds)
                .map(bound -> {
                    var scale = Math.pow(10, digits - 1 - Math.floor(Math.log10(bound)));
                    return Math.round(bound * scale) / scale;
                })
                .toArray();
    }
}
