package dev.berth.node.driver;

import dev.berth.metrics.Buckets;
import dev.berth.metrics.CallbackMetric;
import dev.berth.metrics.HistogramMetric;
import dev.berth.metrics.MetricsRegistry;
import java.io.IOException;

/// Metrics of a driver: number and duration of operations, prepared claims.
final class DriverMetrics {

    private static final double[] BUCKETS = Buckets.exponential(0.001, 2, 16);
    private static final String DRIVER = "driver_name";

    private final String driver;
    private final HistogramMetric operations;
    private final CallbackMetric preparedClaims;

    DriverMetrics(MetricsRegistry registry, String driver) {
        this.driver = driver;
        this.operations =
                registry.histogram(
                        "berth_driver_operation_duration_seconds",
                        "Time of an operation of a driver: prepare, unprepare or publish.",
                        BUCKETS,
                        DRIVER,
                        "operation",
                        "is_error");
        this.preparedClaims =
                registry.gauge(
                        "berth_driver_prepared_claims",
                        "Claims that a driver has prepared, completely or in part.",
                        DRIVER);
    }

    /// Counts the claim records of a driver when metrics are read.
    CallbackMetric.Registration observe(ClaimRecords records) {
        return preparedClaims.addSource(sink -> {
            try {
                sink.add(records.all().size(), driver);
            } catch (IOException _) {
                // Without a value: the driver reports unreadable records when it needs them.
            }
        });
    }

    /// Records an operation.
    ///
    /// @param startNanos its start by [System#nanoTime]
    void observe(String operation, boolean isError, long startNanos) {
        operations
                .with(driver, operation, Boolean.toString(isError))
                .observeNanos(System.nanoTime() - startNanos);
    }
}
