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

/// Goes to the doors of nodes, as the server. A connection is only made with the certificate that
/// the node has told.
public final class NodeConnections implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /// How many nodes' connections are kept for the next question.
    private static final int KEPT_CLIENTS = 64;

    private static final int LONGEST_REFUSAL_BYTES = 10_000;

    private final Function<Fingerprint, SSLContext> contexts;

    private volatile SimulatedLogs simulated = (_, _) -> Optional.empty();

    /// Guards the clients, which are in the order of their last use.
    private final Object lock = new Object();

    private final Map<Fingerprint, HttpClient> clients = new LinkedHashMap<>(16, 0.75f, true);

    /// @param contexts proves who the server is, to the one whose certificate has that fingerprint
    public NodeConnections(Function<Fingerprint, SSLContext> contexts) {
        this.contexts = contexts;
    }

    /// Takes the logs of pods on simulated nodes from here.
    public void simulate(SimulatedLogs logs) {
        simulated = logs;
    }

    /// The log of a container on a simulated node.
    public Optional<String> simulatedLog(JsonObject pod, String container) {
        return simulated.log(pod, container);
    }

    /// What a node answers to a question, as it comes; refuses what the node refuses.
    ///
    /// @param path with the query
    public InputStream read(NodeAddress at, String path) {
        var request = HttpRequest.newBuilder(at.uri("https", path));
        try {
            var answer = client(at).send(request.build(), BodyHandlers.ofInputStream());
            if (answer.statusCode() == 200) {
                return answer.body();
            }
            try (var body = answer.body()) {
                var text =
                        new String(body.readNBytes(LONGEST_REFUSAL_BYTES), StandardCharsets.UTF_8);
                throw refusal(at, answer.statusCode(), text).exception();
            }
        } catch (IOException e) {
            throw unreachable(at, e).exception();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ApiError.unavailable("the server is stopping").exception();
        }
    }

    /// A conversation with a node; refuses what the node refuses.
    public WebSocket converse(
            NodeAddress at, String path, String protocol, WebSocket.Listener listener) {
        try {
            return client(at)
                    .newWebSocketBuilder()
                    .connectTimeout(PATIENCE)
                    .subprotocols(protocol)
                    .buildAsync(at.uri("wss", path), listener)
                    .get();
        } catch (ExecutionException e) {
            throw failure(at, e.getCause() == null ? e : e.getCause()).exception();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ApiError.unavailable("the server is stopping").exception();
        }
    }

    private static ApiError failure(NodeAddress at, Throwable cause) {
        if (cause instanceof WebSocketHandshakeException handshake
                && handshake.getResponse().statusCode() != 101) {
            var answer = handshake.getResponse();
            return refusal(at, answer.statusCode(), String.valueOf(answer.body()));
        }
        return unreachable(at, cause);
    }

    /// A node's refusal in the words of the API.
    static ApiError refusal(NodeAddress at, int status, String text) {
        var words = text.strip();
        return switch (status) {
            case 400 -> ApiError.badRequest(words);
            case 404 -> ApiError.notThere(words);
            case 401, 403 ->
                    ApiError.internal(
                            "node %s does not let this server in (%d %s); does it know this"
                                            .formatted(at.node(), status, words)
                                    + " cluster's authority?");
            default -> ApiError.internal("node %s: %s".formatted(at.node(), words));
        };
    }

    private static ApiError unreachable(NodeAddress at, Throwable cause) {
        return ApiError.unavailable(
                "node %s does not answer at %s: %s; is its agent running, and reachable from here?"
                        .formatted(at.node(), at.authority(), innermost(cause)));
    }

    /// What really went wrong: libraries wrap it in sentences of less use.
    private static String innermost(Throwable cause) {
        var deepest = cause;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return FailureText.of(deepest);
    }

    private HttpClient client(NodeAddress at) {
        synchronized (lock) {
            var client = clients.computeIfAbsent(at.certificate(), this::made);
            var oldest = clients.entrySet().iterator();
            if (clients.size() > KEPT_CLIENTS) {
                // What is under way goes on to its end.
                oldest.next().getValue().shutdown();
                oldest.remove();
            }
            return client;
        }
    }

    private HttpClient made(Fingerprint certificate) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(PATIENCE)
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
