package dev.berth.inprocess;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.ApiServer;
import dev.berth.server.access.User;
import dev.berth.server.http.InProcessApi;
import dev.berth.server.http.RequestQuery;
import dev.berth.server.http.RequestTarget;
import dev.berth.server.registry.ObjectSelection;
import dev.berth.server.registry.Registry;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.ServedObjects;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.store.Entry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongConsumer;

/// Adapter of the port [Cluster] to an API server in this process: requests without a connection,
/// watches directly on the store.
public final class EmbeddedCluster implements Cluster {

    private final InProcessApi door;
    private final Registry registry;
    private final LongConsumer durability;
    private final User user;
    private final RequestQuery managed;
    private final RequestQuery managedByForce;
    private final Codec codec = new Codec();
    private final List<StoreReflector> subscriptions = new CopyOnWriteArrayList<>();

    /// Creates an adapter.
    ///
    /// @param user user of all requests
    /// @param manager field manager of all writes
    public EmbeddedCluster(ApiServer server, User user, String manager) {
        this(server.inProcess(), server.registry(), user, manager);
    }

    /// Creates an adapter.
    ///
    /// @param registry the registry behind the API
    public EmbeddedCluster(InProcessApi door, Registry registry, User user, String manager) {
        this(door, registry, registry.store()::awaitDurable, user, manager);
    }

    /// An adapter for controllers whose only effect is writes to this server: they see changes
    /// before these are durable, and do not wait for the durability of their own.
    public static EmbeddedCluster ahead(ApiServer server, User user, String manager) {
        return new EmbeddedCluster(
                server.inProcess().withoutDurabilityWait(),
                server.registry(),
                _ -> {},
                user,
                manager);
    }

    private EmbeddedCluster(
            InProcessApi door,
            Registry registry,
            LongConsumer durability,
            User user,
            String manager) {
        this.door = door;
        this.registry = registry;
        this.durability = durability;
        this.user = user;
        var manages = List.of(manager);
        this.managed = new RequestQuery(Map.of("fieldManager", manages));
        this.managedByForce =
                new RequestQuery(Map.of("fieldManager", manages, "force", List.of("true")));
    }

    @Override
    public RequestResult send(Request request) {
        return switch (request) {
            case Request.Get(var address, var namespace, var name) ->
                    send(
                            "GET",
                            target(address, namespace, name, ""),
                            RequestQuery.NONE,
                            "",
                            Optional.empty());
            case Request.Create(var address, var namespace, var name, var sub, var object) ->
                    send(
                            "POST",
                            target(address, namespace, name, sub),
                            managed,
                            "application/json",
                            Optional.of(object));
            case Request.Update(var address, var namespace, var name, var sub, var object) ->
                    send(
                            "PUT",
                            target(address, namespace, name, sub),
                            managed,
                            "application/json",
                            Optional.of(object));
            case Request.Patch(
                            var address,
                            var namespace,
                            var name,
                            var sub,
                            var style,
                            var patch) ->
                    send(
                            "PATCH",
                            target(address, namespace, name, sub),
                            style == Request.PatchType.APPLY ? managedByForce : managed,
                            style.mediaType(),
                            Optional.of(patch));
            case Request.Delete delete ->
                    send(
                            "DELETE",
                            target(delete.address(), delete.namespace(), delete.name(), ""),
                            RequestQuery.NONE,
                            "application/json",
                            Optional.of(options(delete)));
        };
    }

    private static RequestTarget.ResourcePath target(
            ResourcePath address, String namespace, String name, String subresource) {
        return new RequestTarget.ResourcePath(
                address.group(),
                address.version(),
                namespace,
                address.plural(),
                name,
                subresource,
                false);
    }

    private static JsonObject options(Request.Delete delete) {
        var options = JsonObject.EMPTY;
        if (delete.uid().isPresent()) {
            options =
                    options.with(
                            "preconditions", JsonObject.of("uid", Json.of(delete.uid().get())));
        }
        return delete.graceSeconds().isPresent()
                ? options.with("gracePeriodSeconds", Json.of(delete.graceSeconds().getAsLong()))
                : options;
    }

    private RequestResult send(
            String method,
            RequestTarget.ResourcePath target,
            RequestQuery query,
            String type,
            Optional<Json> body) {
        return outcome(door.send(user, method, target, query, type, body));
    }

    private static RequestResult outcome(InProcessApi.Response answer) {
        var object = answer.body() instanceof JsonObject read ? read : JsonObject.EMPTY;
        var message = object.text("message");
        var reason = object.text("reason");
        return switch (answer.status()) {
            case 200, 201, 202 -> new RequestResult.Done(object);
            case 404 -> new RequestResult.Missing(message);
            case 409 ->
                    reason.equals("AlreadyExists")
                            ? new RequestResult.Exists(message)
                            : new RequestResult.Conflict(message);
            case 429, 500, 503, 504 -> new RequestResult.Unavailable(message);
            default -> new RequestResult.Refused(answer.status(), reason, message);
        };
    }

    @Override
    public <T extends KubernetesObject> Subscription watch(
            Kind<T> kind, String selector, EventHandler<T> handler) {
        return watch(ResourcePath.of(kind), decoding(kind, selector, handler));
    }

    /// A handler with the selection and the decoder of its objects.
    <T extends KubernetesObject> StoreReflector.Handler<T> decoding(
            Kind<T> kind, String selector, EventHandler<T> handler) {
        var resource = resource(ResourcePath.of(kind));
        return new StoreReflector.Handler<>(
                ObjectSelection.parse(resource, "", selector)::matches,
                handler,
                entry -> StoredObjects.read(entry, one -> decoded(kind, resource, one)));
    }

    private <T extends KubernetesObject> T decoded(Kind<T> kind, Resource resource, Entry entry) {
        var known = StoredObjects.cached(entry).filter(_ -> resource.isStoredAs(kind.version()));
        if (known.isPresent()) {
            return codec.readTree(kind, known.get(), UnknownFieldPolicy.LENIENT)
                    .value()
                    .orElseThrow(() -> new IllegalStateException(entry + " cannot be read"));
        }
        var bytes = ServedObjects.bytes(resource, entry);
        return switch (codec.readJson(kind, kind.version(), bytes, UnknownFieldPolicy.LENIENT)) {
            case Decoded.Read<T> read -> read.object();
            case Decoded.Refused<T> refused ->
                    throw new IllegalStateException(entry + ": " + refused.message());
        };
    }

    @Override
    public Subscription watch(
            ResourcePath address, String selector, EventHandler<JsonObject> handler) {
        return watch(address, decoding(address, selector, handler));
    }

    /// A handler of trees with the selection of its objects.
    StoreReflector.Handler<JsonObject> decoding(
            ResourcePath address, String selector, EventHandler<JsonObject> handler) {
        var resource = resource(address);
        return new StoreReflector.Handler<>(
                ObjectSelection.parse(resource, "", selector)::matches,
                handler,
                entry -> resource.fromInternal(address.version(), StoredObjects.tree(entry)));
    }

    private Subscription watch(ResourcePath address, StoreReflector.Handler<?> handler) {
        var collection = resource(address).collection();
        var subscription = new StoreReflector(registry.store(), durability, collection, handler);
        subscriptions.add(subscription);
        return subscription;
    }

    Resource resource(ResourcePath address) {
        return registry.resources()
                .byPath(address.group(), address.version(), address.plural())
                .orElseThrow(() ->
                        new IllegalArgumentException("this server does not serve " + address));
    }

    @Override
    public void close() {
        subscriptions.forEach(StoreReflector::close);
    }
}
