package dev.berth.metrics;

import io.prometheus.metrics.core.datapoints.CounterDataPoint;

/// One time series of a counter. Updates take no lock.
public sealed interface CounterSeries {

    void add(long amount);

    default void increment() {
        add(1);
    }

    /// A series with a value.
    record Measured(CounterDataPoint point) implements CounterSeries {
        @Override
        public void add(long amount) {
            point.inc(amount);
        }
    }

    /// A series without a value.
    record Off() implements CounterSeries {
        @Override
        public void add(long amount) {}
    }
}
