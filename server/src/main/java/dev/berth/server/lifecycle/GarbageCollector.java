package dev.berth.server.lifecycle;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.model.workqueue.Backoff;
import dev.berth.model.workqueue.ControlLoopRunner;
import dev.berth.model.workqueue.WorkQueueLoop;
import dev.berth.model.workqueue.WorkResult;
import dev.berth.server.registry.DeleteOptions;
import dev.berth.server.registry.ObjectDeletes;
import dev.berth.server.registry.Registry;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.store.Change;
import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.ListResult;
import dev.berth.server.store.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Garbage collection by owner references.
///
/// An object is deleted when it has owner references and none of the owners exists. An owner that
/// is deleted with `Foreground` waits for its blocking dependents; with `Orphan` its dependents
/// first lose their reference to it. Whether an owner exists is read from the store, so only the
/// index from owners to dependents is kept here.
///
/// Handling a change only queues keys, so that watching never waits for the disk.
final class GarbageCollector extends WorkQueueLoop<ObjectKey> implements AutoCloseable {

    private static final int WORKERS = 16;

    private final Registry registry;
    private volatile Optional<ControlLoopRunner> runner = Optional.empty();

    /// Queued owners whose dependents have to be processed. A dependent is queued by its owner,
    /// too, and two owners of each other must not process each other's dependents for ever.
    private final Set<ObjectKey> awaitingDependents = ConcurrentHashMap.newKeySet();

    // Guarded by this.
    private final Map<String, Set<ObjectKey>> dependents = new HashMap<>();

    GarbageCollector(Registry registry) {
        super(Backoff.DEFAULT);
        this.registry = registry;
    }

    /// Starts to collect in the background.
    void start() {
        runner = Optional.of(ControlLoopRunner.start("gc", this, WORKERS, registry.clock()));
    }

    /// Handles a change of any kind. Collects on the caller's thread until it is started.
    void on(Change change) {
        queue(change);
        if (runner.isEmpty()) {
            var now = registry.clock().instant();
            var worked = true;
            while (worked) {
                worked = step(now);
            }
        }
    }

    private void queue(Change change) {
        var key = change.entry().key();
        // The last state of a deleted object is the one before the deletion.
        var object =
                StoredObjects.tree(
                        change.type() == Change.Type.DELETED
                                ? change.previous().orElse(change.entry())
                                : change.entry());
        index(change, key, object);
        if (change.type() == Change.Type.DELETED) {
            dependentsOf(uid(object)).forEach(this::add);
            ownersOf(object).forEach(this::addIfAwaitingDependents);
            return;
        }
        if (!OwnerReferences.of(object).stream().allMatch(owner -> isKept(owner, object))) {
            add(key);
        }
        if (awaitsDependents(object)) {
            addIfAwaitingDependents(key);
        }
    }

    private void addIfAwaitingDependents(ObjectKey key) {
        if (registry.objects()
                .get(key.collection(), key.namespace(), key.name())
                .filter(GarbageCollector::awaitsDependents)
                .isPresent()) {
            awaitingDependents.add(key);
            add(key);
        }
    }

    @Override
    protected WorkResult reconcile(ObjectKey key, Instant now) {
        deleteIfOwnerless(key);
        if (awaitingDependents.remove(key)) {
            try {
                finalizeDeletion(key);
            } catch (RuntimeException e) {
                awaitingDependents.add(key);
                throw e;
            }
        }
        return WorkResult.DONE;
    }

    /// True when it is being deleted and its dependents have to be processed first.
    private static boolean awaitsDependents(JsonObject object) {
        return isTerminating(object)
                && (hasFinalizer(object, ObjectDeletes.ORPHAN)
                        || hasFinalizer(object, ObjectDeletes.FOREGROUND));
    }

    private synchronized void index(Change change, ObjectKey key, JsonObject object) {
        change.previous()
                .map(StoredObjects::tree)
                .ifPresent(before ->
                        OwnerReferences.of(before)
                                .forEach(owner -> {
                                    var keys = dependents.get(owner.uid());
                                    if (keys != null && keys.remove(key) && keys.isEmpty()) {
                                        dependents.remove(owner.uid());
                                    }
                                }));
        if (change.type() != Change.Type.DELETED) {
            OwnerReferences.of(object)
                    .forEach(owner ->
                            dependents.computeIfAbsent(owner.uid(), _ -> new HashSet<>()).add(key));
        }
    }

    private synchronized List<ObjectKey> dependentsOf(String uid) {
        return List.copyOf(dependents.getOrDefault(uid, Set.of()));
    }

    private List<ObjectKey> ownersOf(JsonObject object) {
        return OwnerReferences.of(object).stream()
                .flatMap(owner -> keyOf(owner, object).stream())
                .toList();
    }

    private Optional<ObjectKey> keyOf(OwnerReferences.Reference owner, JsonObject dependent) {
        return owner.resource(registry.resources())
                .map(resource ->
                        new ObjectKey(
                                resource.collection(),
                                resource.isNamespaced()
                                        ? dependent.objectOrEmpty("metadata").text("namespace")
                                        : "",
                                owner.name()));
    }

    /// Deletes an object that has lost all its owners. If it was changed meanwhile, it may have
    /// lost its references, too; the delete then fails its precondition, and the watch event of
    /// that change triggers another check.
    private void deleteIfOwnerless(ObjectKey key) {
        var object = registry.objects().get(key.collection(), key.namespace(), key.name());
        var resource = registry.resources().byCollection(key.collection());
        if (object.isEmpty() || resource.isEmpty()) {
            return;
        }
        var owners = OwnerReferences.of(object.get());
        var keptOwners = owners.stream().filter(owner -> isKept(owner, object.get())).toList();
        if (owners.isEmpty() || keptOwners.size() == owners.size()) {
            return;
        }
        if (!keptOwners.isEmpty()) {
            keepOwners(resource.get(), key, keptOwners::contains);
            return;
        }
        var policy = policy(object.get(), owners);
        registry.delete(
                resource.get(),
                key,
                new DeleteOptions(
                        OptionalLong.empty(),
                        Optional.of(uid(object.get())),
                        Optional.of(object.get().objectOrEmpty("metadata").text("resourceVersion")),
                        policy,
                        false));
    }

    /// A dependent with dependents of its own is deleted in the foreground when its owner waits for
    /// it.
    private Optional<DeleteOptions.Policy> policy(
            JsonObject object, List<OwnerReferences.Reference> owners) {
        var awaited =
                owners.stream().anyMatch(owner -> owner.blocksDeletion() && exists(owner, object));
        if (hasFinalizer(object, ObjectDeletes.ORPHAN)) {
            return Optional.of(DeleteOptions.Policy.ORPHAN);
        }
        return (awaited && !dependentsOf(uid(object)).isEmpty())
                        || hasFinalizer(object, ObjectDeletes.FOREGROUND)
                ? Optional.of(DeleteOptions.Policy.FOREGROUND)
                : Optional.of(DeleteOptions.Policy.BACKGROUND);
    }

    /// True when the owner exists and does not wait for its dependents. An owner of an unknown kind
    /// is assumed to exist.
    private boolean isKept(OwnerReferences.Reference owner, JsonObject dependent) {
        return owner(owner, dependent)
                .map(found ->
                        !(isTerminating(found) && hasFinalizer(found, ObjectDeletes.FOREGROUND)))
                .orElse(owner.resource(registry.resources()).isEmpty());
    }

    private boolean exists(OwnerReferences.Reference owner, JsonObject dependent) {
        return owner(owner, dependent).isPresent();
    }

    private Optional<JsonObject> owner(OwnerReferences.Reference owner, JsonObject dependent) {
        return keyOf(owner, dependent)
                .flatMap(key ->
                        registry.objects().get(key.collection(), key.namespace(), key.name()))
                .filter(found -> uid(found).equals(owner.uid()));
    }

    /// Processes the dependents of an owner that is being deleted.
    private void finalizeDeletion(ObjectKey key) {
        var found = registry.objects().get(key.collection(), key.namespace(), key.name());
        var resource = registry.resources().byCollection(key.collection());
        if (found.isEmpty() || resource.isEmpty() || !isTerminating(found.get())) {
            return;
        }
        var owner = found.get();
        if (hasFinalizer(owner, ObjectDeletes.ORPHAN)) {
            for (var dependent : storedDependentsOf(uid(owner))) {
                registry.resources()
                        .byCollection(dependent.collection())
                        .ifPresent(kind ->
                                keepOwners(kind, dependent, one -> !one.uid().equals(uid(owner))));
            }
            removeFinalizer(resource.get(), key, ObjectDeletes.ORPHAN);
        } else if (hasFinalizer(owner, ObjectDeletes.FOREGROUND)) {
            var stored = storedDependentsOf(uid(owner));
            if (stored.stream().noneMatch(one -> blocks(one, owner))) {
                removeFinalizer(resource.get(), key, ObjectDeletes.FOREGROUND);
            }
            stored.forEach(this::add);
        }
    }

    /// The stored dependents of an owner. Each collection is watched separately, so the index may
    /// not include a new dependent yet; removing its owner too early would delete it.
    private List<ObjectKey> storedDependentsOf(String uid) {
        var found = new ArrayList<ObjectKey>();
        for (var collection : collections()) {
            if (registry.store().list(CollectionScope.all(collection), 0, "", 0)
                    instanceof ListResult.Page page) {
                for (var entry : page.entries()) {
                    // A text search first avoids decoding unrelated objects.
                    if (new String(entry.bytes(), StandardCharsets.ISO_8859_1).contains(uid)
                            && isOwnedBy(StoredObjects.tree(entry), uid)) {
                        found.add(entry.key());
                    }
                }
            }
        }
        return found;
    }

    private Set<String> collections() {
        return registry.resources().all().stream()
                .map(Resource::collection)
                .collect(Collectors.toSet());
    }

    private static boolean isOwnedBy(JsonObject object, String uid) {
        return OwnerReferences.of(object).stream().anyMatch(owner -> owner.uid().equals(uid));
    }

    private boolean blocks(ObjectKey dependent, JsonObject owner) {
        return registry.objects()
                .get(dependent.collection(), dependent.namespace(), dependent.name())
                .filter(object ->
                        OwnerReferences.of(object).stream()
                                .anyMatch(one ->
                                        one.blocksDeletion() && one.uid().equals(uid(owner))))
                .isPresent();
    }

    private void keepOwners(
            Resource resource, ObjectKey key, Predicate<OwnerReferences.Reference> keptOwners) {
        registry.change(
                resource,
                key,
                object -> {
                    var metadata = object.objectOrEmpty("metadata");
                    var left =
                            metadata.objects(OwnerReferences.FIELD).stream()
                                    .filter(json ->
                                            keptOwners.test(OwnerReferences.Reference.of(json)))
                                    .<Json>map(json -> json)
                                    .toList();
                    return object.with(
                            "metadata",
                            left.isEmpty()
                                    ? metadata.without(OwnerReferences.FIELD)
                                    : metadata.with(OwnerReferences.FIELD, new JsonArray(left)));
                });
    }

    private void removeFinalizer(Resource resource, ObjectKey key, String finalizer) {
        registry.change(
                resource,
                key,
                object -> {
                    var metadata = object.objectOrEmpty("metadata");
                    var left =
                            metadata.strings("finalizers").stream()
                                    .filter(one -> !one.equals(finalizer))
                                    .<Json>map(Json::of)
                                    .toList();
                    return object.with(
                            "metadata",
                            left.isEmpty()
                                    ? metadata.without("finalizers")
                                    : metadata.with("finalizers", new JsonArray(left)));
                });
    }

    private static boolean isTerminating(JsonObject object) {
        return object.objectOrEmpty("metadata").has("deletionTimestamp");
    }

    private static boolean hasFinalizer(JsonObject object, String finalizer) {
        return object.objectOrEmpty("metadata").strings("finalizers").contains(finalizer);
    }

    private static String uid(JsonObject object) {
        return object.objectOrEmpty("metadata").text("uid");
    }

    @Override
    public void close() {
        stop();
        runner.ifPresent(ControlLoopRunner::close);
    }
}
