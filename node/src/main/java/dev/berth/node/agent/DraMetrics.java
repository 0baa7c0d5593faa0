package dev.berth.node.agent;

import dev.berth.metrics.Buckets;
import dev.berth.metrics.CallbackMetric;
import dev.berth.metrics.CounterMetric;
import dev.berth.metrics.HistogramMetric;
import dev.berth.metrics.MetricsRegistry;
import io.grpc.Status;
import java.util.Locale;
import java.util.function.Supplier;

/// DRA metrics under the kubelet's names.
final class DraMetrics {

    private static final double[] BUCKETS =
            Buckets.rounded(Buckets.exponentialRange(0.1, 40, 15), 4);
    private static final String DRIVER = "driver_name";

    private final HistogramMetric operations;
    private final HistogramMetric calls;
    private final CallbackMetric claimsInUse;
    private final CounterMetric prepareSkips;
    private final CounterMetric unprepareSkips;

    DraMetrics(MetricsRegistry registry) {
        this.operations =
                registry.histogram(
                        "dra_operations_duration_seconds",
                        "Time to prepare or unprepare the claims of a pod.",
                        BUCKETS,
                        "operation_name",
                        "is_error");
        this.calls =
                registry.histogram(
                        "dra_grpc_operations_duration_seconds",
                        "Time of a gRPC call of a driver.",
                        BUCKETS,
                        DRIVER,
                        "method_name",
                        "grpc_status_code");
        this.claimsInUse =
                registry.gauge(
                        "dra_resource_claims_in_use",
                        "Prepared claims by driver; <any> counts each claim once.",
                        DRIVER);
        this.prepareSkips =
                registry.counter(
                        "dra_node_prepare_skips_total",
                        "Claims that a driver need not prepare.",
                        DRIVER);
        this.unprepareSkips =
                registry.counter(
                        "dra_node_unprepare_skips_total",
                        "Claims that a driver need not unprepare.",
                        DRIVER);
    }

    /// Counts the claims in use when metrics are read.
    CallbackMetric.Registration observe(Supplier<NodeClaimStates> claimStates) {
        return claimsInUse.addSource(sink -> {
            var claims = claimStates.get().claims().values();
            sink.add(claims.size(), "<any>");
            claims.forEach(claim -> claim.drivers().keySet().forEach(name -> sink.add(1, name)));
        });
    }

    /// Records the preparation or unpreparation of a pod's claims.
    ///
    /// @param startNanos by [System#nanoTime]
    void operation(String name, boolean isError, long startNanos) {
        operations
                .with(name, Boolean.toString(isError))
                .observeNanos(System.nanoTime() - startNanos);
    }

    /// Records a gRPC call of a driver.
    void call(String driver, String method, Status.Code code, long startNanos) {
        calls.with(driver, method, codeName(code)).observeNanos(System.nanoTime() - startNanos);
    }

    /// The kubelet's spelling of a status code, such as `DeadlineExceeded`.
    private static String codeName(Status.Code code) {
        if (code == Status.Code.OK) {
            return "OK";
        }
        var name = new StringBuilder();
        for (var part : code.name().split("_", -1)) {
            name.append(part.charAt(0)).append(part.substring(1).toLowerCase(Locale.ROOT));
        }
        return name.toString();
    }

    void prepareSkipped(String driver) {
        prepareSkips.with(driver).increment();
    }

    void unprepareSkipped(String driver) {
        unprepareSkips.with(driver).increment();
    }
}
