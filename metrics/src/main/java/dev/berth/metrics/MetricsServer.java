package dev.berth.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// An HTTP server on loopback with `/metrics` of a registry, and `/healthz` and `/livez`.
///
/// It has neither TLS nor authentication, so it never listens on other addresses.
public final class MetricsServer implements AutoCloseable {

    private static final int BACKLOG = 16;
    private static final String TEXT = "text/plain; charset=utf-8";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private MetricsServer(HttpServer server) {
        this.server = server;
    }

    /// Starts to listen.
    ///
    /// @param port 0 chooses a free port
    /// @throws IOException when the port is in use
    public static MetricsServer start(MetricsRegistry registry, int port) throws IOException {
        var loopback = InetAddress.getLoopbackAddress();
        var started =
                new MetricsServer(
                        HttpServer.create(new InetSocketAddress(loopback, port), BACKLOG));
        started.server.createContext("/", exchange -> answer(registry, exchange));
        started.server.setExecutor(started.threads);
        started.server.start();
        return started;
    }

    private static void answer(MetricsRegistry registry, HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("GET")) {
                send(exchange, 405, text("only GET is allowed\n"));
                return;
            }
            switch (exchange.getRequestURI().getPath()) {
                case "/metrics" -> send(exchange, 200, registry.expose(accept(exchange)));
                case "/healthz", "/livez" -> send(exchange, 200, text("ok"));
                default -> send(exchange, 404, text("not found; metrics are at /metrics\n"));
            }
        }
    }

    private static String accept(HttpExchange exchange) {
        return Optional.ofNullable(exchange.getRequestHeaders().getFirst("Accept")).orElse("");
    }

    private static Exposition text(String text) {
        return new Exposition(TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, Exposition body)
            throws IOException {
        exchange.getResponseHeaders().set("Content-Type", body.contentType());
        exchange.sendResponseHeaders(status, body.bytes().length);
        try (var out = exchange.getResponseBody()) {
            out.write(body.bytes());
        }
    }

    /// The address of the metrics.
    public URI uri() {
        var address = server.getAddress();
        return URI.create("http://127.0.0.1:%d/metrics".formatted(address.getPort()));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
