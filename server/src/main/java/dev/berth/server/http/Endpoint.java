package dev.berth.server.http;

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
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// The whole of what is reached over HTTP.
public final class Endpoint implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Endpoint.class);

    /// What it serves.
    ///
    /// @param authenticator throws [dev.berth.server.registry.ApiException] for bad credentials
    /// @param documents other pages that are JSON, by address
    /// @param doors the way to nodes; empty for a server that is alone
    public record Content(
            Registry registry,
            List<ReviewKind> reviews,
            SchemaValidator shapes,
            FieldTypes types,
            Function<RequestCredentials, User> authenticator,
            Map<String, Function<String, JsonObject>> documents,
            Optional<NodeConnections> doors) {}

    private final HttpListener listener;
    private final InProcessApi door;

    private Endpoint(HttpListener listener, InProcessApi door) {
        this.listener = listener;
        this.door = door;
    }

    /// Listens from now on.
    public static Endpoint start(
            Content content, HttpListener.Address address, SSLContext tls, ServerLimits limits) {
        var metrics = new ApiServerMetrics();
        var listener = new HttpListener(address, tls, limits, metrics);
        var patience = limits.timeouts().queue();
        var seats = new Seats(limits.seats(), limits.queueLength(), patience);
        var router = router(content, () -> metrics.text(seats));
        var durability = DurabilityWait.of(content.registry.store());
        listener.start(
                new ApiHandler(
                        new ApiHandler.Parts(
                                router,
                                durability,
                                content.authenticator,
                                limits,
                                seats,
                                new Seats(limits.watches(), 0, patience),
                                new MemoryBudget(limits.memoryBytes(), patience),
                                metrics,
                                new ThrottledLog(LOG, Level.WARN),
                                new ThrottledLog(LOG, Level.ERROR),
                                listener.threads())));
        return new Endpoint(listener, new InProcessApi(router, durability));
    }

    /// The way in for those in the same process, without listening.
    public static InProcessApi door(Content content) {
        return new InProcessApi(
                router(content, () -> ""), DurabilityWait.of(content.registry.store()));
    }

    private static Router router(Content content, Supplier<String> metrics) {
        var registry = content.registry;
        var bodies = new RequestBodies(content.shapes);
        var patches = new PatchRequests(registry.store(), registry.writes(), bodies, content.types);
        var objects =
                new ObjectRequests(
                        new ObjectRequests.Parts(
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
                                content.doors,
                                ProtobufObjects.ofHeap()));
        var others = new HashMap<String, NonResourcePaths.Page>();
        content.documents.forEach((path, document) ->
                others.put(path, asked -> document(asked, document.apply(pathOf(asked)))));
        others.put("/metrics", _ -> ServerResponse.text(200, metrics.get()));
        var pages =
                new NonResourcePaths(
                        new Discovery(registry.resources(), content.reviews),
                        registry.store(),
                        others);
        return new Router(
                registry.resources(), content.reviews, objects, pages, registry.authorizer());
    }

    private static ServerResponse document(ApiRequest asked, JsonObject document) {
        var isBinary = asked.header("Accept").startsWith(OpenApiBinary.REQUESTED_TYPE_PREFIX);
        return isBinary && document.has("swagger")
                ? ServerResponse.bytes(200, OpenApiBinary.TYPE, OpenApiBinary.of(document))
                : ServerResponse.json(200, document);
    }

    private static String pathOf(ApiRequest asked) {
        return asked.target() instanceof RequestTarget.Page(var path) ? path : "";
    }

    /// The way in for those in the same process.
    public InProcessApi door() {
        return door;
    }

    public URI uri() {
        return listener.uri();
    }

    @Override
    public void close() {
        listener.close();
    }
}
