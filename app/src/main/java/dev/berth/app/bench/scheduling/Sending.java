package dev.berth.app.bench.scheduling;

import dev.berth.client.Address;
import dev.berth.client.Cluster;
import dev.berth.client.Outcome;
import dev.berth.client.Request;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/// Many requests at a time, of which none may fail.
final class Sending {

    private static final int AT_ONCE = 32;

    private final Cluster cluster;

    Sending(Cluster cluster) {
        this.cluster = cluster;
    }

    /// Does something with each, several at a time.
    static <T> void each(List<T> items, Consumer<T> action) throws InterruptedException {
        try (var threads = Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
            var all = items.stream().map(item -> submit(threads, item, action)).toList();
            for (var one : all) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(String.valueOf(e.getMessage()), e);
        }
    }

    private static <T> Future<?> submit(ExecutorService threads, T item, Consumer<T> action) {
        return threads.submit(() -> action.accept(item));
    }

    /// Creates an object; one that is there already stays.
    JsonObject create(Address address, String namespace, JsonObject object) {
        return done(Request.Create.of(address, namespace, object));
    }

    JsonObject done(Request request) {
        return switch (cluster.send(request)) {
            case Outcome.Done(var object) -> object;
            case Outcome.Exists _ -> JsonObject.EMPTY;
            case Outcome other ->
                    throw new IllegalStateException(
                            "%s: %s".formatted(request.address().plural(), other.message()));
        };
    }

    /// Removes an object at once; one that is gone already is fine.
    void remove(Address address, String namespace, String name) {
        var now = OptionalLong.of(0);
        cluster.send(new Request.Delete(address, namespace, name, Optional.empty(), now));
    }
}
