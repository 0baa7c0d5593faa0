package dev.berth.server.http;

import dev.berth.metrics.CounterMetric;
import dev.berth.metrics.CounterSeries;
import dev.berth.metrics.HistogramMetric;
import dev.berth.metrics.HistogramSeries;
import dev.berth.metrics.MetricsRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// Number and duration of requests by verb and resource.
final class RequestMetrics {

    private static final double[] BUCKETS = {
        0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30,
        45, 60
    };
    private static final String COMPONENT = "apiserver";

    /// Maximum number of combinations of labels; others share one of the method.
    private static final int MAX_COMBINATIONS = 1_000;

    /// The requests with the same labels.
    private static final class RequestSeries {
        private final HistogramSeries duration;
        private final LongAdder longRunning = new LongAdder();
        private final Map<Integer, CounterSeries> byCode = new ConcurrentHashMap<>();

        RequestSeries(HistogramSeries duration) {
            this.duration = duration;
        }
    }

    private final CounterMetric total;
    private final HistogramMetric durations;
    private final Map<RequestLabels, RequestSeries> series = new ConcurrentHashMap<>();

    RequestMetrics(MetricsRegistry registry) {
        this.total =
                registry.counter(
                        "apiserver_request_total",
                        "Requests over HTTP, by verb, resource and status code.",
                        "verb",
                        "dry_run",
                        "group",
                        "version",
                        "resource",
                        "subresource",
                        "scope",
                        "component",
                        "code");
        this.durations =
                registry.histogram(
                        "apiserver_request_duration_seconds",
                        "Time until the response of a request is complete, by verb and resource.",
                        BUCKETS,
                        "verb",
                        "dry_run",
                        "group",
                        "version",
                        "resource",
                        "subresource",
                        "scope",
                        "component");
        countLongRunning(registry);
    }

    private void countLongRunning(MetricsRegistry registry) {
        registry.gauge(
                        "apiserver_longrunning_requests",
                        "Open watches, logs and commands, by verb and resource.",
                        "verb",
                        "group",
                        "version",
                        "resource",
                        "subresource",
                        "scope",
                        "component")
                .addSource(sink ->
                        series.forEach((labels, one) -> {
                            var open = one.longRunning.sum();
                            if (open > 0 || labels.verb().equals("WATCH")) {
                                sink.add(
                                        (double) open,
                                        labels.verb(),
                                        labels.group(),
                                        labels.version(),
                                        labels.resource(),
                                        labels.subresource(),
                                        labels.scope(),
                                        COMPONENT);
                            }
                        }));
    }

    void ended(RequestLabels labels, int code, long nanos) {
        var one = of(labels);
        one.duration.observeNanos(nanos);
        one.byCode.computeIfAbsent(code, number -> counter(labels, number)).increment();
    }

    /// A long-running response begins; the result ends it.
    Runnable beginLongRunning(RequestLabels labels) {
        var one = of(labels);
        one.longRunning.increment();
        return one.longRunning::decrement;
    }

    private RequestSeries of(RequestLabels labels) {
        var known = series.get(labels);
        if (known != null) {
            return known;
        }
        var bounded =
                series.size() < MAX_COMBINATIONS
                        ? labels
                        : new RequestLabels(labels.verb(), "", "", "", "", "", "");
        return series.computeIfAbsent(bounded, one -> new RequestSeries(duration(one)));
    }

    private HistogramSeries duration(RequestLabels labels) {
        return durations.with(
                labels.verb(),
                labels.dryRun(),
                labels.group(),
                labels.version(),
                labels.resource(),
                labels.subresource(),
                labels.scope(),
                COMPONENT);
    }

    private CounterSeries counter(RequestLabels labels, int code) {
        return total.with(
                labels.verb(),
                labels.dryRun(),
                labels.group(),
                labels.version(),
                labels.resource(),
                labels.subresource(),
                labels.scope(),
                COMPONENT,
                Integer.toString(code));
    }
}
