package dev.berth.server.http;

import dev.berth.metrics.CallbackMetric;
import dev.berth.metrics.CounterMetric;
import dev.berth.metrics.CounterSeries;
import dev.berth.metrics.MetricsRegistry;
import dev.berth.server.http.limit.PriorityLevel;
import dev.berth.server.http.limit.Seats;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/// Metrics of the API server, with the metric names of kube-apiserver.
final class ApiServerMetrics {

    private static final int OK = 200;
    private static final String CONTROL_FRAMES = "control-frames";
    private static final String LEVEL = "priority_level";

    private final RequestMetrics requests;
    private final CounterSeries aborts;
    private final CounterSeries unknownFields;
    private final CounterMetric rejections;
    private final Map<ConnectionTimeouts.Phase, CounterSeries> timeouts =
            new EnumMap<>(ConnectionTimeouts.Phase.class);
    private final CounterSeries controlFrameFloods;
    private final LongAdder readsInFlight = new LongAdder();
    private final LongAdder writesInFlight = new LongAdder();
    private final CallbackMetric executingSeats;
    private final CallbackMetric queuedRequests;

    ApiServerMetrics(MetricsRegistry registry) {
        this.requests = new RequestMetrics(registry);
        this.aborts =
                registry.counter("apiserver_request_aborts_total", "Requests without a response.")
                        .with();
        this.unknownFields =
                registry.counter(
                                "berth_apiserver_protobuf_unknown_fields_total",
                                "Fields of protobuf bodies with unknown numbers.")
                        .with();
        this.rejections =
                registry.counter(
                        "apiserver_flowcontrol_rejected_requests_total",
                        "Requests rejected since no seat was free, by level and reason.",
                        LEVEL,
                        "reason");
        var closed =
                registry.counter(
                        "apiserver_connections_closed_total",
                        "Connections closed by the server, by reason.",
                        "reason");
        for (var phase : ConnectionTimeouts.Phase.values()) {
            var name = phase.name().toLowerCase(Locale.ROOT);
            timeouts.put(phase, closed.with(name + "-timeout"));
        }
        this.controlFrameFloods = closed.with(CONTROL_FRAMES);
        registry.gauge(
                        "apiserver_current_inflight_requests",
                        "Requests in progress, by kind: readOnly or mutating.",
                        "request_kind")
                .addSource(sink -> {
                    sink.add((double) readsInFlight.sum(), "readOnly");
                    sink.add((double) writesInFlight.sum(), "mutating");
                });
        this.executingSeats =
                registry.gauge(
                        "apiserver_flowcontrol_current_executing_seats",
                        "Seats in use, by level.",
                        LEVEL);
        this.queuedRequests =
                registry.gauge(
                        "apiserver_flowcontrol_current_inqueue_requests",
                        "Requests waiting for a seat, by level.",
                        LEVEL);
    }

    /// Reads the gauges of seats.
    void observe(Seats seats) {
        executingSeats.addSource(sink -> {
            for (var level : PriorityLevel.values()) {
                sink.add(seats.taken(level), level.label());
            }
        });
        queuedRequests.addSource(sink -> {
            for (var level : PriorityLevel.values()) {
                sink.add(seats.waiting(level), level.label());
            }
        });
    }

    /// A request in progress.
    final class Measured {
        private final long startNanos = System.nanoTime();
        private final LongAdder inFlight;
        private RequestLabels labels;
        private boolean isEnded;

        private Measured(String method) {
            this.labels = RequestLabels.of(method);
            this.inFlight = labels.verb().equals("GET") ? readsInFlight : writesInFlight;
            inFlight.increment();
        }

        /// Sets the labels once the path is parsed.
        void label(RequestLabels parsed) {
            labels = parsed;
        }

        /// The response is complete.
        void end(int status) {
            if (abandon()) {
                requests.ended(labels, status, System.nanoTime() - startNanos);
            }
        }

        /// The request ends without a response; false when it has ended already.
        boolean abandon() {
            if (isEnded) {
                return false;
            }
            isEnded = true;
            inFlight.decrement();
            return true;
        }

        /// A long-running response begins.
        Runnable beginLongRunning() {
            end(OK);
            return requests.beginLongRunning(labels);
        }
    }

    Measured begin(String method) {
        return new Measured(method);
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
        rejections.with(level.label(), reason).increment();
    }

    void connectionTimedOut(ConnectionTimeouts.Phase phase) {
        var series = timeouts.get(phase);
        if (series != null) {
            series.increment();
        }
    }

    void controlFrameFloodClosed() {
        controlFrameFloods.increment();
    }
}
