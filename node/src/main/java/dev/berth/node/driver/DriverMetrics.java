package dev.berth.node.driver;

import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/// Prometheus metrics of a driver: number and duration of operations, prepared claims.
final class DriverMetrics {

    private static final double NANOS = 1e9;

    private record Operation(String name, boolean isError) {}

    private static final class Totals {
        private final LongAdder count = new LongAdder();
        private final LongAdder nanos = new LongAdder();
    }

    private final String driver;
    private final ConcurrentMap<Operation, Totals> operations = new ConcurrentHashMap<>();

    DriverMetrics(String driver) {
        this.driver = driver;
    }

    /// Records an operation.
    ///
    /// @param startNanos its start by [System#nanoTime]
    void observe(String operation, boolean isError, long startNanos) {
        var totals =
                operations.computeIfAbsent(new Operation(operation, isError), _ -> new Totals());
        totals.count.increment();
        totals.nanos.add(System.nanoTime() - startNanos);
    }

    /// All metrics in the Prometheus text format.
    String text(int preparedClaims) {
        var counts = new TreeMap<String, String>();
        operations.forEach((operation, totals) -> {
            var labels =
                    "{driver_name=\"%s\",operation=\"%s\",is_error=\"%b\"}"
                            .formatted(driver, operation.name, operation.isError);
            counts.put(
                    labels,
                    String.format(
                            Locale.ROOT,
                            """
                            dra_driver_operations_total%s %d
                            dra_driver_operation_seconds_sum%s %.6f
                            """,
                            labels,
                            totals.count.sum(),
                            labels,
                            totals.nanos.sum() / NANOS));
        });
        return "# TYPE dra_driver_operations_total counter\n"
                + "# TYPE dra_driver_operation_seconds_sum counter\n"
                + String.join("", counts.values())
                + "# TYPE dra_driver_prepared_claims gauge\n"
                + String.format(
                        Locale.ROOT,
                        "dra_driver_prepared_claims{driver_name=\"%s\"} %d\n",
                        driver,
                        preparedClaims);
    }
}
