package dev.berth.server.nodes;

import dev.berth.model.certificate.Fingerprint;
import dev.berth.model.json.JsonObject;
import dev.berth.model.text.FailureText;
import dev.berth.server.registry.ApiError;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.function.Function;
import javax.net.ssl.SSLContext;

/// HTTPS and WebSocket connections to the endpoints of nodes. The certificate of a node is pinned:
/// it must have the fingerprint in the annotation of its Node object.
public final class NodeConnections implements AutoCloseable {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /// Maximum number of nodes whose clients and connections are cached.
    private static final int MAX_CLIENTS = 64;

    private static final int MAX_ERROR_BYTES = 10_000;

    private final Function<Fingerprint, SSLContext> contexts;

    private volatile SimulatedLogs simulated = (_, _) -> Optional.empty();

    /// Guards the clients, which are in least-recently-used order.
    private final Object lock = new Object();

    private final Map<Fingerprint, HttpClient> clients = new LinkedHashMap<>(16, 0.75f, true);

    /// @param contexts creates a TLS context with the server's client certificate that trusts the
    ///   certificate with the given fingerprint
    public NodeConnections(Function<Fingerprint, SSLContext> contexts) {
        this.contexts = contexts;
    }

    /// Serves the logs of pods on simulated nodes from this source.
    public void simulate(SimulatedLogs logs) {
        simulated = logs;
    }

    /// The log of a container on a simulated node.
    public Optional<String> simulatedLog(JsonObject pod, String container) {
        return simulated.log(pod, container);
    }

    /// The body of a node's response as a stream; throws the node's error.
    ///
    /// @param path with the query
    public InputStream read(NodeAddress node, String path) {
        var request = HttpRequest.newBuilder(node.uri("https", path));
        try {
            var response = client(node).send(request.build(), BodyHandlers.ofInputStream());
            if (response.statusCode() == 200) {
                return response.body();
            }
            try (var body = response.body()) {
                var text = new String(body.readNBytes(MAX_ERROR_BYTES), StandardCharsets.UTF_8);
                throw nodeError(node, response.statusCode(), text).exception();
            }
        } catch (IOException e) {
            throw unreachable(node, e).exception();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ApiError.unavailable("the server is stopping").exception();
        }
    }

    /// Opens a WebSocket to a node; throws the node's error.
    public WebSocket openWebSocket(
            NodeAddress node, String path, String protocol, WebSocket.Listener listener) {
        try {
            return client(node)
                    .newWebSocketBuilder()
                    .connectTimeout(CONNECT_TIMEOUT)
                    .subprotocols(protocol)
                    .buildAsync(node.uri("wss", path), listener)
                    .get();
        } catch (ExecutionException e) {
            throw error(node, e.getCause() == null ? e : e.getCause()).exception();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ApiError.unavailable("the server is stopping").exception();
        }
    }

    private static ApiError error(NodeAddress node, Throwable cause) {
        if (cause instanceof WebSocketHandshakeException handshake
                && handshake.getResponse().statusCode() != 101) {
            var response = handshake.getResponse();
            return nodeError(node, response.statusCode(), String.valueOf(response.body()));
        }
        return unreachable(node, cause);
    }

    /// Translates an error of a node to an API error.
    static ApiError nodeError(NodeAddress node, int status, String text) {
        var message = text.strip();
        return switch (status) {
            case 400 -> ApiError.badRequest(message);
            case 404 -> ApiError.notFound(message);
            case 401, 403 ->
                    ApiError.internal(
                            "node %s rejects the client certificate of this server (%d %s); it must"
                                            .formatted(node.node(), status, message)
                                    + " trust the certificate authority of this cluster");
            default -> ApiError.internal("node %s: %s".formatted(node.node(), message));
        };
    }

    private static ApiError unreachable(NodeAddress node, Throwable cause) {
        return ApiError.unavailable(
                "cannot connect to node %s at %s: %s; check that its agent is running and reachable"
                        .formatted(node.node(), node.authority(), rootCause(cause)));
    }

    /// The root cause: libraries wrap it in less useful messages.
    private static String rootCause(Throwable cause) {
        var deepest = cause;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return FailureText.of(deepest);
    }

    private HttpClient client(NodeAddress node) {
        synchronized (lock) {
            var client = clients.computeIfAbsent(node.certificate(), this::newClient);
            var oldest = clients.entrySet().iterator();
            if (clients.size() > MAX_CLIENTS) {
                // Requests in progress run to their end.
                oldest.next().getValue().shutdown();
                oldest.remove();
            }
            return client;
        }
    }

    private HttpClient newClient(Fingerprint certificate) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT)
                .sslContext(contexts.apply(certificate))
                .executor(
                        Executors.newThreadPerTaskExecutor(
                                Thread.ofVirtual().name("node-", 0).factory()))
                .build();
    }

    @Override
    public void close() {
        synchronized (lock) {
            clients.values().forEach(HttpClient::shutdownNow);
            clients.clear();
        }
    }
}
