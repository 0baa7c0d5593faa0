package dev.berth.client.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.Kubeconfig;
import dev.berth.client.config.ProgramEnvironment;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/// A server that answers as a test wants, and remembers what it was asked.
final class FakeServer implements AutoCloseable {

    private final HttpServer server;
    private final List<String> asked = new CopyOnWriteArrayList<>();

    /// Answers one request.
    interface Script {
        void answer(HttpExchange exchange, String target) throws IOException;
    }

    FakeServer(Script script) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext(
                "/",
                exchange -> {
                    var target = exchange.getRequestMethod() + " " + exchange.getRequestURI();
                    asked.add(target);
                    try (exchange) {
                        script.answer(exchange, target);
                    }
                });
        server.start();
    }

    static void answer(HttpExchange exchange, int code, String body) throws IOException {
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /// What it was asked so far, such as `GET /api/v1/pods?limit=500`.
    List<String> asked() {
        return asked;
    }

    /// How to reach it.
    ///
    /// @param user the YAML of the user
    ClusterAccess access(Path directory, String user) throws IOException {
        var file = directory.resolve("config");
        Files.writeString(
                file,
                """
                current-context: c
                contexts: [{name: c, context: {cluster: c, user: u}}]
                clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
                users: [{name: u, user: %s}]
                """
                        .formatted(server.getAddress().getPort(), user));
        var around = new ProgramEnvironment(Map.of(), directory, directory, Clock.systemUTC());
        return Kubeconfig.read(List.of(file), around).access(Optional.empty());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
