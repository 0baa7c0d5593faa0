package dev.berth.metrics;

import io.prometheus.metrics.core.metrics.Histogram;

/// A histogram: one series per combination of label values.
public final class HistogramMetric implements Metric {

    private final MetricFamily family;
    private final SeriesMap<HistogramSeries> series;

    private HistogramMetric(MetricFamily family, SeriesMap<HistogramSeries> series) {
        this.family = family;
        this.series = series;
    }

    static HistogramMetric over(Histogram histogram, MetricFamily family) {
        return new HistogramMetric(
                family,
                new SeriesMap<>(
                        family,
                        values -> new HistogramSeries.Measured(histogram.labelValues(values))));
    }

    static HistogramMetric off(MetricFamily family) {
        return new HistogramMetric(family, new SeriesMap<>(family, _ -> new HistogramSeries.Off()));
    }

    @Override
    public MetricFamily family() {
        return family;
    }

    /// The series with these label values. Busy code resolves its series once.
    public HistogramSeries with(String... values) {
        return series.with(values);
    }
}
