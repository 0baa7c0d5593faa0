package dev.berth.app.bench.scheduling;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/// Concurrent requests, all of which must succeed.
final class BulkRequests {

    private static final int AT_ONCE = 32;

    private final Cluster cluster;

    BulkRequests(Cluster cluster) {
        this.cluster = cluster;
    }

    /// Runs an action for each item, several at a time.
    static <T> void each(List<T> items, Consumer<T> action) throws InterruptedException {
        try (var threads = Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
            var all = items.stream().map(item -> submit(threads, item, action)).toList();
            for (var one : all) {
                one.get();
            }
        } catch (ExecutionException e) {
            var why = e.getCause() == null ? e : e.getCause();
            throw new IllegalStateException(String.valueOf(why.getMessage()), e);
        }
    }

    private static <T> Future<?> submit(ExecutorService threads, T item, Consumer<T> action) {
        return threads.submit(() -> action.accept(item));
    }

    /// Creates an object.
    JsonObject create(ResourcePath address, String namespace, JsonObject object) {
        return done(Request.Create.of(address, namespace, object));
    }

    /// Creates an object and fails if the server drops one of its fields.
    void createWhole(ResourcePath address, String namespace, JsonObject object) {
        var made = create(address, namespace, object);
        ServerDroppedFields.field("spec", object.objectOrEmpty("spec"), made.objectOrEmpty("spec"))
                .ifPresent(path -> {
                    throw new IllegalStateException(
                            "%s: the cluster leaves out %s; turn on the gate that it needs"
                                    .formatted(address.plural(), path));
                });
    }

    JsonObject done(Request request) {
        return switch (cluster.send(request)) {
            case RequestResult.Done(var object) -> object;
            case RequestResult other -> throw failure(request, other);
        };
    }

    private static IllegalStateException failure(Request request, RequestResult outcome) {
        return new IllegalStateException(
                "%s: %s".formatted(request.address().plural(), outcome.message()));
    }

    /// All objects of a kind; none if the kind is not served.
    List<JsonObject> all(ResourcePath address, String namespace) {
        var request = new Request.Get(address, namespace, "");
        return switch (cluster.send(request)) {
            case RequestResult.Done(var list) -> list.objects("items");
            case RequestResult.Missing _ -> List.of();
            case RequestResult other -> throw failure(request, other);
        };
    }

    /// Deletes an object without grace period; false if it does not exist.
    boolean remove(ResourcePath address, String namespace, String name) {
        var now = OptionalLong.of(0);
        var request = new Request.Delete(address, namespace, name, Optional.empty(), now);
        return !(cluster.send(request) instanceof RequestResult.Missing);
    }
}
