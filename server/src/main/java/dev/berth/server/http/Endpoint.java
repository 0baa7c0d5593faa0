package dev.berth.server.http;

import dev.berth.metrics.MetricsRegistry;
import dev.berth.metrics.ProcessMetrics;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.User;
import dev.berth.server.nodes.NodeConnections;
import dev.berth.server.registry.FieldTypes;
import dev.berth.server.registry.ProtobufObjects;
import dev.berth.server.registry.Registry;
import dev.berth.server.registry.ReviewKind;
import dev.berth.server.registry.SchemaValidator;
import dev.berth.server.schema.OpenApiBinary;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    /// @param nodes connections to nodes, for logs and exec; empty if there are none
    /// @param metrics content of `/metrics`
    public record Content(
            Registry registry,
            List<ReviewKind> reviews,
            SchemaValidator validator,
            FieldTypes types,
            Function<RequestCredentials, User> authenticator,
            Map<String, Function<String, JsonObject>> documents,
            Optional<NodeConnections> nodes,
            MetricsRegistry metrics) {}

    private final HttpListener listener;
    private final InProcessApi inProcess;

    private Endpoint(HttpListener listener, InProcessApi inProcess) {
        this.listener = listener;
        this.inProcess = inProcess;
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
        var durability = DurabilityWait.of(content.registry.store());
        listener.start(
                new ApiHandler(
                        new ApiHandler.Services(
                                router,
                                durability,
                                content.authenticator,
                                limits,
                                seats,
                                new Seats(limits.watches(), 0, queueTimeout),
                                new MemoryBudget(limits.memoryBytes(), queueTimeout),
                                metrics,
                                new ThrottledLog(LOG, Level.WARN),
                                new ThrottledLog(LOG, Level.ERROR),
                                listener.threads())));
        return new Endpoint(listener, new InProcessApi(router, durability));
    }

    /// An in-process API without a listener.
    public static InProcessApi inProcess(Content content) {
        return new InProcessApi(router(content), DurabilityWait.of(content.registry.store()));
    }

    private static Router router(Content content) {
        var registry = content.registry;
        var bodies = new RequestBodies(content.validator);
        var patches = new PatchRequests(registry.store(), registry.writes(), bodies, content.types);
        var objects =
                new ObjectRequests(
                        new ObjectRequests.Services(
                                registry.resources(),
                                registry.store(),
                                registry.reads(),
                                registry.writes(),
                                registry.deletes(),
                                bodies,
                                patches,
                                registry.gates(),
                                registry.authorizer(),
                                registry.clock(),
                                content.nodes,
                                ProtobufObjects.ofHeap()));
        var handlers = new HashMap<String, NonResourcePaths.PathHandler>();
        content.documents.forEach((path, document) ->
                handlers.put(path, request -> document(request, document.apply(pathOf(request)))));
        handlers.put("/metrics", request -> metrics(request, content.metrics));
        var paths =
                new NonResourcePaths(
                        new Discovery(registry.resources(), content.reviews),
                        registry.store(),
                        handlers);
        return new Router(
                registry.resources(), content.reviews, objects, paths, registry.authorizer());
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

    /// The in-process API.
    public InProcessApi inProcess() {
        return inProcess;
    }

    public URI uri() {
        return listener.uri();
    }

    @Override
    public void close() {
        listener.close();
    }
}
