package dev.berth.server.http;

import dev.berth.metrics.MetricsRegistry;
import dev.berth.metrics.ProcessMetrics;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.User;
import dev.berth.server.http.handler.Router;
import dev.berth.server.http.limit.MemoryBudget;
import dev.berth.server.http.limit.Seats;
import dev.berth.server.http.limit.ThrottledLog;
import dev.berth.server.http.request.ApiRequest;
import dev.berth.server.http.request.RequestTarget;
import dev.berth.server.http.response.ServerResponse;
import dev.berth.server.nodes.NodeConnections;
import dev.berth.server.operation.ObjectOperations;
import dev.berth.server.schema.OpenApiBinary;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// The HTTP endpoint of the API server: listener, router and their wiring.
public final class Endpoint implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Endpoint.class);

    /// Services behind the endpoint.
    ///
    /// @param authenticator throws [dev.berth.server.registry.ApiException] for invalid credentials
    /// @param documents additional JSON documents by path
    /// @param nodes connections to nodes, for logs and exec
    /// @param metrics content of `/metrics`
    public record Content(
            ObjectOperations operations,
            Function<RequestCredentials, User> authenticator,
            Map<String, Function<String, JsonObject>> documents,
            NodeConnections nodes,
            MetricsRegistry metrics) {}

    private final HttpListener listener;

    private Endpoint(HttpListener listener) {
        this.listener = listener;
    }

    /// Starts to listen.
    public static Endpoint start(
            Content content, HttpListener.Address address, SSLContext tls, ServerLimits limits) {
        var metrics = new ApiServerMetrics(content.metrics);
        var listener = new HttpListener(address, tls, limits, metrics);
        var queueTimeout = limits.timeouts().queue();
        var seats = new Seats(limits.seats(), limits.queueLength(), queueTimeout);
        metrics.observe(seats);
        ProcessMetrics.register(content.metrics);
        var router = router(content);
        listener.start(
                new ApiHandler(
                        new ApiHandler.Services(
                                router,
                                content.operations.registry().store(),
                                content.authenticator,
                                limits,
                                seats,
                                new Seats(limits.watches(), 0, queueTimeout),
                                new MemoryBudget(limits.memoryBytes(), queueTimeout),
                                metrics,
                                new ThrottledLog(LOG, Level.WARN),
                                new ThrottledLog(LOG, Level.ERROR),
                                listener.threads())));
        return new Endpoint(listener);
    }

    private static Router router(Content content) {
        var handlers = new HashMap<String, Function<ApiRequest, ServerResponse>>();
        content.documents.forEach((path, document) ->
                handlers.put(path, request -> document(request, document.apply(pathOf(request)))));
        handlers.put("/metrics", request -> metrics(request, content.metrics));
        return new Router(content.operations, content.nodes, handlers);
    }

    private static ServerResponse metrics(ApiRequest request, MetricsRegistry metrics) {
        var exposition = metrics.expose(request.header("Accept"));
        return ServerResponse.bytes(200, exposition.contentType(), exposition.bytes());
    }

    private static ServerResponse document(ApiRequest request, JsonObject document) {
        var isBinary = request.header("Accept").startsWith(OpenApiBinary.REQUESTED_TYPE_PREFIX);
        return isBinary && document.has("swagger")
                ? ServerResponse.bytes(200, OpenApiBinary.TYPE, OpenApiBinary.of(document))
                : ServerResponse.json(200, document);
    }

    private static String pathOf(ApiRequest request) {
        return request.target() instanceof RequestTarget.NonResourcePath(var path) ? path : "";
    }

    public URI uri() {
        return listener.uri();
    }

    @Override
    public void close() {
        listener.close();
    }
}
