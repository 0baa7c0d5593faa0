/// Metrics of all programs: one registry per process, series that are cheap to update, and the
/// exposition as Prometheus or OpenMetrics text.
/// [MetricsRegistry][dev.berth.metrics.MetricsRegistry] is the entry point. Only this package uses
/// the Prometheus client library.
@NullMarked
package dev.berth.metrics;

import org.jspecify.annotations.NullMarked;
