package dev.berth.metrics;

import io.prometheus.metrics.core.metrics.Counter;

/// A counter: one series per combination of label values.
public final class CounterMetric implements Metric {

    private final MetricFamily family;
    private final SeriesMap<CounterSeries> series;

    private CounterMetric(MetricFamily family, SeriesMap<CounterSeries> series) {
        this.family = family;
        this.series = series;
    }

    static CounterMetric over(Counter counter, MetricFamily family) {
        return new CounterMetric(
                family,
                new SeriesMap<>(
                        family, values -> new CounterSeries.Measured(counter.labelValues(values))));
    }

    static CounterMetric off(MetricFamily family) {
        return new CounterMetric(family, new SeriesMap<>(family, _ -> new CounterSeries.Off()));
    }

    @Override
    public MetricFamily family() {
        return family;
    }

    /// The series with these label values. Busy code resolves its series once.
    public CounterSeries with(String... values) {
        return series.with(values);
    }
}
