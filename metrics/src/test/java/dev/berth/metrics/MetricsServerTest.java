package dev.berth.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

class MetricsServerTest {

    private static HttpResponse<String> send(String method, URI uri) throws Exception {
        try (var http = HttpClient.newHttpClient()) {
            return http.send(
                    HttpRequest.newBuilder(uri)
                            .header("Accept", "application/openmetrics-text")
                            .method(method, BodyPublishers.noBody())
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    @Test
    void metricsAndHealthAreServedOnLoopback() throws Exception {
        var registry = MetricsRegistry.measuring();
        registry.counter("requests_total", "Requests.").with().add(7);
        try (var server = MetricsServer.start(registry, 0)) {
            var metrics = send("GET", server.uri());
            assertThat(metrics.statusCode()).isEqualTo(200);
            assertThat(metrics.headers().firstValue("Content-Type").orElse(""))
                    .startsWith("application/openmetrics-text");
            assertThat(metrics.body()).contains("requests_total 7.0");
            assertThat(server.uri().getHost()).isEqualTo("127.0.0.1");
            assertThat(send("GET", server.uri().resolve("/healthz")).body()).isEqualTo("ok");
            assertThat(send("GET", server.uri().resolve("/other")).statusCode()).isEqualTo(404);
            assertThat(send("POST", server.uri()).statusCode()).isEqualTo(405);
        }
    }
}
