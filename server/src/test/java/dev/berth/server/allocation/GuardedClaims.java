package dev.berth.server.allocation;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.server.kinds.BuiltInKinds;
import dev.berth.server.kinds.KindOptions;
import dev.berth.server.registry.AdmissionChain;
import dev.berth.server.registry.ApiException;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import dev.berth.server.store.WriteResult;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// Claims and slices in a store, with allocations written through a guard.
final class GuardedClaims {

    static final String CLAIMS = "resource.k8s.io/resourceclaims";
    private static final String SLICES = "resource.k8s.io/resourceslices";
    private static final Resource CLAIM =
            BuiltInKinds.all(KindOptions.of(FeatureGates.defaults())).stream()
                    .filter(one -> one.collection().equals(CLAIMS))
                    .findFirst()
                    .orElseThrow();

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final Store store;
    private final AllocationGuard guard;

    GuardedClaims(Store store) {
        this.store = store;
        var clock = ((InstantSource) now::get).withZone(ZoneOffset.UTC);
        this.guard = new AllocationGuard(store, FeatureGates.defaults(), clock);
    }

    static JsonObject yaml(String text) {
        if (YamlReader.read(text) instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject object) {
            return object;
        }
        throw new IllegalArgumentException("no object: " + text);
    }

    void pass(Duration time) {
        now.updateAndGet(instant -> instant.plus(time));
    }

    /// Publishes a slice of driver `d` on all nodes; replaces a slice of the same name.
    ///
    /// @param spec spec of the slice without driver, pool and nodes
    void publish(String slice, String pool, String spec) {
        var object =
                yaml("{apiVersion: resource.k8s.io/v1, kind: ResourceSlice}")
                        .with("metadata", JsonObject.of("name", Json.of(slice)))
                        .with(
                                "spec",
                                yaml(spec)
                                        .with("driver", Json.of("d"))
                                        .with("allNodes", Json.of(true))
                                        .with("pool", yaml(pool)));
        var key = new ObjectKey(SLICES, "", slice);
        var bytes = JsonWriter.bytes(object);
        var before = store.get(key);
        var _ =
                before.isPresent()
                        ? store.update(key, before.get().revision(), bytes)
                        : store.create(key, bytes);
    }

    void withdraw(String slice) {
        var entry = store.get(new ObjectKey(SLICES, "", slice)).orElseThrow();
        var _ = store.delete(entry.key(), entry.revision());
    }

    static ObjectKey key(String claim) {
        return new ObjectKey(CLAIMS, "default", claim);
    }

    Entry create(String claim) {
        var metadata = JsonObject.of("name", Json.of(claim)).with("namespace", Json.of("default"));
        var bytes = JsonWriter.bytes(JsonObject.of("metadata", metadata));
        return switch (store.create(key(claim), bytes)) {
            case WriteResult.Done(var entry) -> entry;
            case WriteResult.Exists(var current) -> current;
            case WriteResult.Conflict _, WriteResult.Missing _ ->
                    throw new IllegalStateException(claim);
        };
    }

    Entry entry(String claim) {
        return store.get(key(claim)).orElseGet(() -> create(claim));
    }

    /// Writes an allocation to the latest state of a claim, which is created if necessary. Returns
    /// the error, if any.
    Optional<String> allocate(String claim, String... results) {
        return allocate(entry(claim), results);
    }

    /// Writes an allocation to a claim, with the revision that was read before as a precondition.
    Optional<String> allocate(Entry claim, String... results) {
        return write(claim, results, value -> store.update(claim.key(), claim.revision(), value));
    }

    @FunctionalInterface
    interface Write {
        WriteResult write(byte[] value);
    }

    Optional<String> write(Entry claim, String[] results, Write write) {
        try {
            var result = guardedWrite(claim, results, write);
            return result instanceof WriteResult.Done
                    ? Optional.empty()
                    : Optional.of(result.getClass().getSimpleName());
        } catch (ApiException e) {
            return Optional.of(e.error().message());
        }
    }

    private WriteResult guardedWrite(Entry claim, String[] results, Write write) {
        var old = StoredObjects.tree(claim);
        var object = allocated(old, results);
        var metadata = object.objectOrEmpty("metadata").without("resourceVersion");
        var value = JsonWriter.bytes(object.with("metadata", metadata));
        return guard.guardedWrite(pending(old, object), () -> write.write(value));
    }

    /// The error of a dry run, if any.
    Optional<String> check(String claim, String... results) {
        var old = StoredObjects.tree(entry(claim));
        try {
            guard.check(pending(old, allocated(old, results)));
            return Optional.empty();
        } catch (ApiException e) {
            return Optional.of(e.error().message());
        }
    }

    private static AdmissionChain.PendingWrite pending(JsonObject old, JsonObject object) {
        return new AdmissionChain.PendingWrite(CLAIM, "default", Optional.of(old), object);
    }

    static JsonObject allocated(JsonObject claim, String[] results) {
        var list = new Json[results.length];
        for (var i = 0; i < results.length; i++) {
            list[i] = yaml(results[i]).with("driver", Json.of("d"));
        }
        var devices = JsonObject.of("results", Json.array(list));
        return results.length == 0
                ? claim.without("status")
                : claim.with(
                        "status", JsonObject.of("allocation", JsonObject.of("devices", devices)));
    }

    void deallocate(String claim) {
        if (allocate(claim).isPresent()) {
            throw new IllegalStateException("claim " + claim + " was not deallocated");
        }
    }

    void delete(String claim) {
        store.get(key(claim))
                .ifPresent(entry -> {
                    var _ = store.delete(entry.key(), entry.revision());
                });
    }
}
