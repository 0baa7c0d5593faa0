package dev.berth.client.http;

import dev.berth.metrics.CounterMetric;
import dev.berth.metrics.CounterSeries;
import dev.berth.metrics.HistogramMetric;
import dev.berth.metrics.HistogramSeries;
import dev.berth.metrics.MetricsRegistry;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Metrics of the requests to one API server, with the names, labels and buckets of client-go.
final class RestClientMetrics {

    private static final double[] BUCKETS = {0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60};

    /// The code of a request without a response.
    private static final int ERROR = 0;

    /// The requests of one method.
    private static final class MethodSeries {
        private final HistogramSeries duration;
        private final Map<Integer, CounterSeries> byCode = new ConcurrentHashMap<>();

        MethodSeries(HistogramSeries duration) {
            this.duration = duration;
        }
    }

    private final CounterMetric requests;
    private final HistogramMetric durations;
    private final String host;
    private final Map<String, MethodSeries> byMethod = new ConcurrentHashMap<>();

    RestClientMetrics(MetricsRegistry registry, URI server) {
        this.requests =
                registry.counter(
                        "rest_client_requests_total",
                        "Requests to the API server, by status code, method and host.",
                        "code",
                        "method",
                        "host");
        this.durations =
                registry.histogram(
                        "rest_client_request_duration_seconds",
                        "Time from sending a request to its response, by verb and host.",
                        BUCKETS,
                        "verb",
                        "host");
        this.host = String.valueOf(server.getAuthority());
    }

    void responded(String method, int code, long startNanos) {
        var series =
                byMethod.computeIfAbsent(
                        method, verb -> new MethodSeries(durations.with(verb, host)));
        series.duration.observeNanos(System.nanoTime() - startNanos);
        series.byCode.computeIfAbsent(code, number -> counter(method, number)).increment();
    }

    void failed(String method, long startNanos) {
        responded(method, ERROR, startNanos);
    }

    private CounterSeries counter(String method, int code) {
        return requests.with(code == ERROR ? "<error>" : Integer.toString(code), method, host);
    }
}
