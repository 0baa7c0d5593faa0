package dev.berth.metrics;

import io.prometheus.metrics.core.datapoints.DistributionDataPoint;

/// One time series of a histogram. Updates take no lock.
public sealed interface HistogramSeries {

    void observe(double value);

    /// Observes a duration in seconds.
    default void observeNanos(long nanos) {
        observe(nanos / 1e9);
    }

    /// A series with values.
    record Measured(DistributionDataPoint point) implements HistogramSeries {
        @Override
        public void observe(double value) {
            point.observe(value);
        }
    }

    /// A series without values.
    record Off() implements HistogramSeries {
        @Override
        public void observe(double value) {}
    }
}
