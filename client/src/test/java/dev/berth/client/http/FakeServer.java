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

/// A scripted HTTP server that records its requests.
final class FakeServer implements AutoCloseable {

    private final HttpServer server;
    private final List<String> requests = new CopyOnWriteArrayList<>();

    /// Responds to one request.
    interface Script {
        void respond(HttpExchange exchange, String target) throws IOException;
    }

    FakeServer(Script script) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext(
                "/",
                exchange -> {
                    var target = exchange.getRequestMethod() + " " + exchange.getRequestURI();
                    requests.add(target);
                    try (exchange) {
                        script.respond(exchange, target);
                    }
                });
        server.start();
    }

    static void respond(HttpExchange exchange, int code, String body) throws IOException {
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /// Requests so far, such as `GET /api/v1/pods?limit=500`.
    List<String> requests() {
        return requests;
    }

    /// Address and credentials of the server.
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
