package dev.berth.metrics;

import java.util.List;

/// The name, type and labels of a metric.
///
/// @param name as Prometheus shows it, counters with `_total`
public record MetricFamily(String name, Type type, String help, List<String> labels) {

    /// The type of a metric.
    public enum Type {
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    public MetricFamily {
        labels = List.copyOf(labels);
    }
}
