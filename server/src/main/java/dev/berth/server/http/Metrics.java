package dev.berth.server.http;

import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/// Counts what is served, in the names that dashboards for Kubernetes look for.
final class Metrics {

    private final ConcurrentMap<String, LongAdder> requests = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, LongAdder> nanos = new ConcurrentHashMap<>();
    private final LongAdder watches = new LongAdder();

    /// One request that is under way.
    final class Measured {
        private final String method;
        private final long begin = System.nanoTime();

        private Measured(String method) {
            this.method = method;
        }

        void end(int status) {
            var labels = "{verb=\"%s\",code=\"%d\"}".formatted(method, status);
            requests.computeIfAbsent(labels, _ -> new LongAdder()).increment();
            nanos.computeIfAbsent("{verb=\"%s\"}".formatted(method), _ -> new LongAdder())
                    .add(System.nanoTime() - begin);
        }
    }

    Measured begin(String method, String path) {
        // Methods that nobody knows must not make the table grow.
        return new Measured(
                switch (method) {
                    case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE" -> method;
                    default -> "OTHER";
                });
    }

    void watchBegins() {
        watches.increment();
    }

    void watchEnds() {
        watches.decrement();
    }

    /// All counts, as Prometheus reads them.
    String text() {
        var text = new StringBuilder();
        head(text, "apiserver_request_total", "counter", "Requests by verb and code.");
        new TreeMap<>(requests)
                .forEach((labels, count) ->
                        line(text, "apiserver_request_total", labels, count.sum()));
        head(text, "apiserver_request_duration_seconds_sum", "counter", "Time spent answering.");
        new TreeMap<>(nanos)
                .forEach((labels, count) ->
                        line(
                                text,
                                "apiserver_request_duration_seconds_sum",
                                labels,
                                count.sum() / 1e9));
        head(text, "apiserver_longrunning_requests", "gauge", "Watches that are open.");
        line(text, "apiserver_longrunning_requests", "{verb=\"WATCH\"}", watches.sum());
        var runtime = Runtime.getRuntime();
        head(text, "process_heap_bytes", "gauge", "Memory in use by objects.");
        line(text, "process_heap_bytes", "", runtime.totalMemory() - runtime.freeMemory());
        return text.toString();
    }

    private static void head(StringBuilder text, String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static void line(StringBuilder text, String name, String labels, Object value) {
        text.append(name).append(labels).append(' ').append(value).append('\n');
    }
}
