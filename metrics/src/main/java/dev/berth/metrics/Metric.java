package dev.berth.metrics;

/// A registered metric.
sealed interface Metric permits CounterMetric, HistogramMetric, CallbackMetric {

    MetricFamily family();
}
