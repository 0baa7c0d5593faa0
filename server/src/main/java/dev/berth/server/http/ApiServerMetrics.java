package dev.berth.server.http;

import com.sun.management.OperatingSystemMXBean;
import dev.berth.server.http.limit.PriorityLevel;
import dev.berth.server.http.limit.Seats;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/// Metrics of the API server, with the metric names of kube-apiserver.
final class ApiServerMetrics {

    private static final Path STATUS = Path.of("/proc/self/status");

    private final ConcurrentMap<String, LongAdder> requests = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, LongAdder> nanos = new ConcurrentHashMap<>();
    private final LongAdder watches = new LongAdder();
    private final LongAdder aborts = new LongAdder();
    private final LongAdder unknownFields = new LongAdder();
    private final ConcurrentMap<String, LongAdder> rejections = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, LongAdder> connections = new ConcurrentHashMap<>();

    /// A request in progress.
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
        // Unknown methods share one label, so that clients cannot make the map grow.
        return new Measured(
                switch (method) {
                    case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE" -> method;
                    default -> "OTHER";
                });
    }

    /// A request whose client disconnected, or that the HTTP library could not serve.
    void requestAborted() {
        aborts.increment();
    }

    /// Fields of a protobuf body that were skipped since their numbers are unknown.
    void protobufFieldsSkipped(long count) {
        unknownFields.add(count);
    }

    /// A request that was rejected since no seat was free.
    void requestRejected(PriorityLevel level, String reason) {
        var labels = "{priority_level=\"%s\",reason=\"%s\"}".formatted(level.label(), reason);
        rejections.computeIfAbsent(labels, _ -> new LongAdder()).increment();
    }

    void connectionTimedOut(ConnectionTimeouts.Phase phase) {
        connectionClosed(phase.name().toLowerCase(Locale.ROOT) + "-timeout");
    }

    void controlFrameFloodClosed() {
        connectionClosed("control-frames");
    }

    private void connectionClosed(String reason) {
        connections
                .computeIfAbsent("{reason=\"%s\"}".formatted(reason), _ -> new LongAdder())
                .increment();
    }

    void watchBegins() {
        watches.increment();
    }

    void watchEnds() {
        watches.decrement();
    }

    /// All metrics in the Prometheus text format.
    String text(Seats seats) {
        var text = new StringBuilder();
        counts(text, "apiserver_request_total", "Requests by verb and code.", requests);
        head(
                text,
                "apiserver_request_duration_seconds_sum",
                "counter",
                "Time spent serving requests.");
        new TreeMap<>(nanos)
                .forEach((labels, count) ->
                        line(
                                text,
                                "apiserver_request_duration_seconds_sum",
                                labels,
                                count.sum() / 1e9));
        head(text, "apiserver_longrunning_requests", "gauge", "Watches that are open.");
        line(text, "apiserver_longrunning_requests", "{verb=\"WATCH\"}", watches.sum());
        head(text, "apiserver_request_aborts_total", "counter", "Requests without a response.");
        line(text, "apiserver_request_aborts_total", "", aborts.sum());
        var skipped = "berth_apiserver_protobuf_unknown_fields_total";
        head(text, skipped, "counter", "Fields of protobuf bodies with unknown numbers.");
        line(text, skipped, "", unknownFields.sum());
        counts(
                text,
                "apiserver_flowcontrol_rejected_requests_total",
                "Requests rejected since no seat was free, by level and reason.",
                rejections);
        counts(
                text,
                "apiserver_connections_closed_total",
                "Connections closed by the server, by reason.",
                connections);
        seats(text, seats);
        process(text);
        return text.toString();
    }

    /// CPU and memory of this process, with the usual metric names of Prometheus clients.
    private static void process(StringBuilder text) {
        var runtime = Runtime.getRuntime();
        head(text, "process_heap_bytes", "gauge", "Memory in use by objects.");
        line(text, "process_heap_bytes", "", runtime.totalMemory() - runtime.freeMemory());
        var cpu =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                        .getProcessCpuTime();
        if (cpu >= 0) {
            var name = "process_cpu_seconds_total";
            head(text, name, "counter", "Total user and system CPU time spent in seconds.");
            line(text, name, "", cpu / 1e9);
        }
        var resident = residentBytes();
        if (resident.isPresent()) {
            var name = "process_resident_memory_bytes";
            head(text, name, "gauge", "Resident memory size in bytes.");
            line(text, name, "", resident.getAsLong());
        }
    }

    /// Empty where the system does not have `/proc`.
    private static OptionalLong residentBytes() {
        try (var lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                    .findFirst();
        } catch (IOException _) {
            return OptionalLong.empty();
        }
    }

    private static void counts(
            StringBuilder text, String name, String help, Map<String, LongAdder> counts) {
        head(text, name, "counter", help);
        new TreeMap<>(counts).forEach((labels, count) -> line(text, name, labels, count.sum()));
    }

    private static void seats(StringBuilder text, Seats seats) {
        var taken = "apiserver_flowcontrol_current_executing_seats";
        var waiting = "apiserver_flowcontrol_current_inqueue_requests";
        head(text, taken, "gauge", "Seats in use, by level.");
        for (var level : PriorityLevel.values()) {
            line(text, taken, label(level), seats.taken(level));
        }
        head(text, waiting, "gauge", "Requests waiting for a seat, by level.");
        for (var level : PriorityLevel.values()) {
            line(text, waiting, label(level), seats.waiting(level));
        }
    }

    private static String label(PriorityLevel level) {
        return "{priority_level=\"%s\"}".formatted(level.label());
    }

    private static void head(StringBuilder text, String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static void line(StringBuilder text, String name, String labels, Object value) {
        text.append(name).append(labels).append(' ').append(value).append('\n');
    }
}
