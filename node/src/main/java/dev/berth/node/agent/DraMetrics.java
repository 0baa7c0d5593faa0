package dev.berth.node.agent;

import io.grpc.Status;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// DRA metrics under the kubelet's names.
final class DraMetrics {

    private static final double NANOS = 1e9;

    private static final int BUCKETS = 15;
    private static final double MIN_SECONDS = 0.1;
    private static final double MAX_SECONDS = 40;

    /// Bucket bounds in seconds, exponentially growing.
    private static final double[] BOUNDS = bounds();

    private final Map<String, Histogram> operations = new ConcurrentHashMap<>();
    private final Map<String, Histogram> calls = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> prepareSkips = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> unprepareSkips = new ConcurrentHashMap<>();

    private static double[] bounds() {
        var bounds = new double[BUCKETS];
        var factor = Math.pow(MAX_SECONDS / MIN_SECONDS, 1.0 / (BUCKETS - 1));
        for (var i = 0; i < BUCKETS; i++) {
            bounds[i] = MIN_SECONDS * Math.pow(factor, i);
        }
        return bounds;
    }

    private static final class Histogram {
        private final LongAdder[] buckets = new LongAdder[BUCKETS + 1];
        private final LongAdder nanos = new LongAdder();

        Histogram() {
            for (var i = 0; i <= BUCKETS; i++) {
                buckets[i] = new LongAdder();
            }
        }

        void observe(long length) {
            var i = 0;
            while (i < BUCKETS && length / NANOS > BOUNDS[i]) {
                i++;
            }
            buckets[i].increment();
            nanos.add(length);
        }

        String text(String name, String labels) {
            var text = new StringBuilder();
            var sum = 0L;
            for (var i = 0; i <= BUCKETS; i++) {
                sum += buckets[i].sum();
                var bound = i < BUCKETS ? String.format(Locale.ROOT, "%.4g", BOUNDS[i]) : "+Inf";
                text.append("%s_bucket{%s,le=\"%s\"} %d\n".formatted(name, labels, bound, sum));
            }
            text.append(
                    String.format(
                            Locale.ROOT, "%s_sum{%s} %.6f\n", name, labels, nanos.sum() / NANOS));
            return text.append("%s_count{%s} %d\n".formatted(name, labels, sum)).toString();
        }
    }

    /// Records the preparation or unpreparation of a pod's claims.
    ///
    /// @param startNanos by [System#nanoTime]
    void operation(String name, boolean isError, long startNanos) {
        operations
                .computeIfAbsent(
                        "operation_name=\"%s\",is_error=\"%b\"".formatted(name, isError),
                        _ -> new Histogram())
                .observe(System.nanoTime() - startNanos);
    }

    /// Records a gRPC call of a driver.
    void call(String driver, String method, Status.Code code, long startNanos) {
        calls.computeIfAbsent(
                        "driver_name=\"%s\",method_name=\"%s\",grpc_status_code=\"%s\""
                                .formatted(driver, method, codeName(code)),
                        _ -> new Histogram())
                .observe(System.nanoTime() - startNanos);
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
        prepareSkips.computeIfAbsent(driver, _ -> new LongAdder()).increment();
    }

    void unprepareSkipped(String driver) {
        unprepareSkips.computeIfAbsent(driver, _ -> new LongAdder()).increment();
    }

    /// All metrics in the Prometheus text format.
    String text(NodeClaimStates claimStates) {
        return histograms("dra_operations_duration_seconds", operations)
                + histograms("dra_grpc_operations_duration_seconds", calls)
                + inUse(claimStates)
                + counters("dra_node_prepare_skips_total", prepareSkips)
                + counters("dra_node_unprepare_skips_total", unprepareSkips);
    }

    private static String histograms(String name, Map<String, Histogram> all) {
        var text = new StringBuilder("# TYPE %s histogram\n".formatted(name));
        new TreeMap<>(all).forEach((labels, one) -> text.append(one.text(name, labels)));
        return text.toString();
    }

    private static String counters(String name, Map<String, LongAdder> all) {
        var text = new StringBuilder("# TYPE %s counter\n".formatted(name));
        new TreeMap<>(all)
                .forEach((driver, count) ->
                        text.append(
                                "%s{driver_name=\"%s\"} %d\n"
                                        .formatted(name, driver, count.sum())));
        return text.toString();
    }

    private static String inUse(NodeClaimStates claimStates) {
        var counts = new TreeMap<String, Integer>();
        counts.put("<any>", claimStates.claims().size());
        for (var claim : claimStates.claims().values()) {
            claim.drivers().keySet().forEach(driver -> counts.merge(driver, 1, Integer::sum));
        }
        var text = new StringBuilder("# TYPE dra_resource_claims_in_use gauge\n");
        counts.forEach((driver, count) ->
                text.append(
                        "dra_resource_claims_in_use{driver_name=\"%s\"} %d\n"
                                .formatted(driver, count)));
        return text.toString();
    }
}
