package dev.berth.app.embedded;

import dev.berth.client.Address;
import dev.berth.client.Cluster;
import dev.berth.client.Outcome;
import dev.berth.client.Request;
import dev.berth.model.api.KubernetesObject;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Strictness;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.ApiServer;
import dev.berth.server.access.User;
import dev.berth.server.http.LocalDoor;
import dev.berth.server.http.Query;
import dev.berth.server.http.Target;
import dev.berth.server.registry.Objects;
import dev.berth.server.registry.Registry;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.Selection;
import dev.berth.server.registry.Served;
import dev.berth.server.store.Entry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.LongConsumer;

/// A server in this process as loops see it: requests without a connection, changes straight from
/// the store.
public final class EmbeddedCluster implements Cluster {

    private final LocalDoor door;
    private final Registry registry;
    private final LongConsumer durability;
    private final User user;
    private final Query managed;
    private final Query managedByForce;
    private final Codec codec = new Codec();
    private final List<StoreFollowing> followings = new CopyOnWriteArrayList<>();

    /// @param user in whose name requests are sent
    /// @param manager the field manager
    public EmbeddedCluster(ApiServer server, User user, String manager) {
        this(server.door(), server.registry(), user, manager);
    }

    /// @param registry what is behind the door
    public EmbeddedCluster(LocalDoor door, Registry registry, User user, String manager) {
        this(door, registry, registry.store()::secure, user, manager);
    }

    /// A server as loops see it that do nothing but write to it: they learn of changes before these
    /// are durable, and need not wait until theirs are.
    public static EmbeddedCluster ahead(ApiServer server, User user, String manager) {
        return new EmbeddedCluster(
                server.door().ahead(), server.registry(), _ -> {}, user, manager);
    }

    private EmbeddedCluster(
            LocalDoor door, Registry registry, LongConsumer durability, User user, String manager) {
        this.door = door;
        this.registry = registry;
        this.durability = durability;
        this.user = user;
        var manages = List.of(manager);
        this.managed = new Query(Map.of("fieldManager", manages));
        this.managedByForce = new Query(Map.of("fieldManager", manages, "force", List.of("true")));
    }

    @Override
    public Outcome send(Request request) {
        return switch (request) {
            case Request.Get(var address, var namespace, var name) ->
                    send(
                            "GET",
                            target(address, namespace, name, ""),
                            Query.NONE,
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
                            style == Request.Style.APPLY ? managedByForce : managed,
                            style.mediaType(),
                            Optional.of(patch));
            case Request.Delete delete ->
                    send(
                            "DELETE",
                            target(delete.address(), delete.namespace(), delete.name(), ""),
                            Query.NONE,
                            "application/json",
                            Optional.of(options(delete)));
        };
    }

    private static Target.OfObjects target(
            Address address, String namespace, String name, String subresource) {
        return new Target.OfObjects(
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

    private Outcome send(
            String method, Target.OfObjects target, Query query, String type, Optional<Json> body) {
        return outcome(door.send(user, method, target, query, type, body));
    }

    private static Outcome outcome(LocalDoor.Answer answer) {
        var object = answer.body() instanceof JsonObject read ? read : JsonObject.EMPTY;
        var message = object.text("message");
        var reason = object.text("reason");
        return switch (answer.status()) {
            case 200, 201, 202 -> new Outcome.Done(object);
            case 404 -> new Outcome.Missing(message);
            case 409 ->
                    reason.equals("AlreadyExists")
                            ? new Outcome.Exists(message)
                            : new Outcome.Conflict(message);
            case 429, 500, 503, 504 -> new Outcome.Unavailable(message);
            default -> new Outcome.Refused(answer.status(), reason, message);
        };
    }

    @Override
    public <T extends KubernetesObject> Following follow(
            Kind<T> kind, String selector, Follower<T> follower) {
        var resource = resource(Address.of(kind));
        return follow(
                resource,
                selector,
                follower,
                entry -> Objects.read(entry, one -> decoded(kind, resource, one)));
    }

    private <T extends KubernetesObject> T decoded(Kind<T> kind, Resource resource, Entry entry) {
        var known = Objects.known(entry).filter(_ -> resource.isStoredAs(kind.version()));
        if (known.isPresent()) {
            return codec.readTree(kind, known.get(), Strictness.LENIENT)
                    .value()
                    .orElseThrow(() -> new IllegalStateException(entry + " cannot be read"));
        }
        var bytes = Served.bytes(resource, entry);
        return switch (codec.readJson(kind, kind.version(), bytes, Strictness.LENIENT)) {
            case Decoded.Read<T> read -> read.object();
            case Decoded.Refused<T> refused ->
                    throw new IllegalStateException(entry + ": " + refused.message());
        };
    }

    @Override
    public Following follow(Address address, String selector, Follower<JsonObject> follower) {
        var resource = resource(address);
        return follow(
                resource,
                selector,
                follower,
                entry -> resource.fromInternal(address.version(), Objects.tree(entry)));
    }

    private <T> Following follow(
            Resource resource, String selector, Follower<T> follower, Function<Entry, T> read) {
        var selection = Selection.parse(resource, "", selector);
        var following =
                new StoreFollowing(
                        registry.store(),
                        durability,
                        resource.collection(),
                        new StoreFollowing.Telling<>(selection::matches, follower, read));
        followings.add(following);
        return following;
    }

    private Resource resource(Address address) {
        return registry.resources()
                .byAddress(address.group(), address.version(), address.plural())
                .orElseThrow(() ->
                        new IllegalArgumentException("this server does not serve " + address));
    }

    @Override
    public void close() {
        followings.forEach(StoreFollowing::close);
    }
}
