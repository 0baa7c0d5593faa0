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
import dev.berth.model.json.JsonObject;
import dev.berth.server.ApiServer;
import dev.berth.server.access.User;
import dev.berth.server.operation.InProcessApi;
import dev.berth.server.operation.ListOptions;
import dev.berth.server.operation.ObjectOperation;
import dev.berth.server.operation.ObjectOperation.PatchType;
import dev.berth.server.operation.ObjectPath;
import dev.berth.server.operation.RequestDocument;
import dev.berth.server.operation.WriteOptions;
import dev.berth.server.registry.DeleteOptions;
import dev.berth.server.registry.ObjectSelection;
import dev.berth.server.registry.Registry;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.ServedObjects;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.store.Entry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongConsumer;

/// Adapter of the port [Cluster] to an API server in this process: requests without a connection,
/// watches directly on the store.
public final class EmbeddedCluster implements Cluster {

    private final InProcessApi api;
    private final Registry registry;
    private final LongConsumer durability;
    private final User user;
    private final WriteOptions options;
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
    public EmbeddedCluster(InProcessApi api, Registry registry, User user, String manager) {
        this(api, registry, registry.store()::awaitDurable, user, manager);
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
            InProcessApi api,
            Registry registry,
            LongConsumer durability,
            User user,
            String manager) {
        this.api = api;
        this.registry = registry;
        this.durability = durability;
        this.user = user;
        this.options = WriteOptions.of(manager);
    }

    @Override
    public RequestResult send(Request request) {
        return switch (api.send(user, operation(request))) {
            case InProcessApi.Result.Success(var object) -> new RequestResult.Done(object);
            case InProcessApi.Result.Failure(var error) ->
                    RequestResult.failed(error.code(), error.reason(), error.message());
        };
    }

    private ObjectOperation operation(Request request) {
        return switch (request) {
            case Request.Get(var address, var namespace, var name) -> {
                var path = path(address, namespace, name, "");
                yield name.isEmpty()
                        ? new ObjectOperation.List(path, ListOptions.NONE)
                        : new ObjectOperation.Get(path, "");
            }
            case Request.Create(var address, var namespace, var name, var sub, var object) ->
                    new ObjectOperation.Create(
                            path(address, namespace, name, sub),
                            options,
                            RequestDocument.of(object));
            case Request.Update(var address, var namespace, var name, var sub, var object) ->
                    new ObjectOperation.Update(
                            path(address, namespace, name, sub),
                            options,
                            RequestDocument.of(object));
            case Request.Patch patch -> patch(patch);
            case Request.Delete delete ->
                    new ObjectOperation.Delete(
                            path(delete.address(), delete.namespace(), delete.name(), ""),
                            DeleteOptions.of(delete.uid(), delete.graceSeconds()),
                            false);
        };
    }

    private ObjectOperation patch(Request.Patch request) {
        var path =
                path(request.address(), request.namespace(), request.name(), request.subresource());
        var document = RequestDocument.of(request.patch());
        return switch (request.type()) {
            case APPLY -> new ObjectOperation.Apply(path, options, document, true);
            case JSON -> new ObjectOperation.Patch(path, options, document, PatchType.JSON);
            case MERGE -> new ObjectOperation.Patch(path, options, document, PatchType.MERGE);
            case STRATEGIC ->
                    new ObjectOperation.Patch(path, options, document, PatchType.STRATEGIC);
        };
    }

    private static ObjectPath path(
            ResourcePath address, String namespace, String name, String subresource) {
        return new ObjectPath(
                address.group(), address.version(), namespace, address.plural(), name, subresource);
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
