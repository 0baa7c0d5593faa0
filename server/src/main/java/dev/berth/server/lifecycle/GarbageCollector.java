package dev.berth.server.lifecycle;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Deletes what nobody owns any more.
///
/// An object goes when it names owners and none of them is there. An owner that is deleted with
/// `Foreground` waits for those of its dependents that block it; with `Orphan` it first makes its
/// dependents forget it. Whether an owner exists is asked of the store itself, so only the way from
/// owners to dependents is kept here.
///
/// What has to be written is an errand, so that following changes never waits for the disk.
final class GarbageCollector {

    private final Registry registry;
    private final KeyedExecutor errands;
    // Guarded by this.
    private final Map<String, Set<ObjectKey>> dependents = new HashMap<>();

    GarbageCollector(Registry registry, KeyedExecutor errands) {
        this.registry = registry;
        this.errands = errands;
    }

    /// Follows a change of any kind.
    void on(Change change) {
        var key = change.entry().key();
        // What is deleted is known as it was before.
        var object =
                StoredObjects.tree(
                        change.type() == Change.Type.DELETED
                                ? change.previous().orElse(change.entry())
                                : change.entry());
        index(change, key, object);
        if (change.type() == Change.Type.DELETED) {
            dependentsOf(uid(object)).forEach(this::examineSoon);
            ownersOf(object).forEach(this::finishSoon);
            return;
        }
        if (!OwnerReferences.of(object).stream().allMatch(owner -> stands(owner, object))) {
            examineSoon(key);
        }
        if (isAwaiting(object)) {
            finishSoon(key);
        }
    }

    private void examineSoon(ObjectKey key) {
        errands.run(key, () -> examine(key));
    }

    private void finishSoon(ObjectKey key) {
        if (registry.objects()
                .get(key.collection(), key.namespace(), key.name())
                .filter(GarbageCollector::isAwaiting)
                .isPresent()) {
            errands.run(key, () -> finish(key));
        }
    }

    /// True when it is being deleted and its dependents come first.
    private static boolean isAwaiting(JsonObject object) {
        return isLeaving(object)
                && (isHeldBy(object, ObjectDeletes.ORPHAN)
                        || isHeldBy(object, ObjectDeletes.FOREGROUND));
    }

    private synchronized void index(Change change, ObjectKey key, JsonObject object) {
        change.previous()
                .map(StoredObjects::tree)
                .ifPresent(before ->
                        OwnerReferences.of(before)
                                .forEach(owner -> {
                                    var known = dependents.get(owner.uid());
                                    if (known != null && known.remove(key) && known.isEmpty()) {
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

    /// Deletes an object that has lost all its owners. If it has changed meanwhile, it may have
    /// lost its references too, and is left alone: news of that change brings us here again.
    private void examine(ObjectKey key) {
        var object = registry.objects().get(key.collection(), key.namespace(), key.name());
        var resource = registry.resources().byCollection(key.collection());
        if (object.isEmpty() || resource.isEmpty()) {
            return;
        }
        var owners = OwnerReferences.of(object.get());
        var standing = owners.stream().filter(owner -> stands(owner, object.get())).toList();
        if (owners.isEmpty() || standing.size() == owners.size()) {
            return;
        }
        if (!standing.isEmpty()) {
            keepOwners(resource.get(), key, standing::contains);
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

    /// A dependent with dependents of its own goes after them when its owner waits for it.
    private Optional<DeleteOptions.Policy> policy(
            JsonObject object, List<OwnerReferences.Reference> owners) {
        var awaited =
                owners.stream().anyMatch(owner -> owner.blocksDeletion() && isThere(owner, object));
        if (isHeldBy(object, ObjectDeletes.ORPHAN)) {
            return Optional.of(DeleteOptions.Policy.ORPHAN);
        }
        return (awaited && !dependentsOf(uid(object)).isEmpty())
                        || isHeldBy(object, ObjectDeletes.FOREGROUND)
                ? Optional.of(DeleteOptions.Policy.FOREGROUND)
                : Optional.of(DeleteOptions.Policy.BACKGROUND);
    }

    /// True when the owner is there to stay. One of a kind that we do not know gets the benefit of
    /// the doubt.
    private boolean stands(OwnerReferences.Reference owner, JsonObject dependent) {
        return owner(owner, dependent)
                .map(found -> !(isLeaving(found) && isHeldBy(found, ObjectDeletes.FOREGROUND)))
                .orElse(owner.resource(registry.resources()).isEmpty());
    }

    private boolean isThere(OwnerReferences.Reference owner, JsonObject dependent) {
        return owner(owner, dependent).isPresent();
    }

    private Optional<JsonObject> owner(OwnerReferences.Reference owner, JsonObject dependent) {
        return keyOf(owner, dependent)
                .flatMap(key ->
                        registry.objects().get(key.collection(), key.namespace(), key.name()))
                .filter(found -> uid(found).equals(owner.uid()));
    }

    /// Does what an owner that is being deleted still waits for.
    private void finish(ObjectKey key) {
        var found = registry.objects().get(key.collection(), key.namespace(), key.name());
        var resource = registry.resources().byCollection(key.collection());
        if (found.isEmpty() || resource.isEmpty() || !isLeaving(found.get())) {
            return;
        }
        var owner = found.get();
        if (isHeldBy(owner, ObjectDeletes.ORPHAN)) {
            for (var dependent : storedDependentsOf(uid(owner))) {
                registry.resources()
                        .byCollection(dependent.collection())
                        .ifPresent(kind ->
                                keepOwners(kind, dependent, one -> !one.uid().equals(uid(owner))));
            }
            removeFinalizer(resource.get(), key, ObjectDeletes.ORPHAN);
        } else if (isHeldBy(owner, ObjectDeletes.FOREGROUND)) {
            var stored = storedDependentsOf(uid(owner));
            if (stored.stream().noneMatch(one -> blocks(one, owner))) {
                removeFinalizer(resource.get(), key, ObjectDeletes.FOREGROUND);
            }
            stored.forEach(this::examineSoon);
        }
    }

    /// Dependents as the store has them now. Each kind is followed by itself, so a dependent may be
    /// there that we have not heard of; to let its owner go would be the end of it.
    private List<ObjectKey> storedDependentsOf(String uid) {
        var found = new ArrayList<ObjectKey>();
        for (var collection : collections()) {
            if (registry.store().list(CollectionScope.all(collection), 0, "", 0)
                    instanceof ListResult.Page page) {
                for (var entry : page.entries()) {
                    // Looking at the text first spares us reading what has nothing to do with it.
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
            Resource resource, ObjectKey key, Predicate<OwnerReferences.Reference> kept) {
        registry.change(
                resource,
                key,
                object -> {
                    var metadata = object.objectOrEmpty("metadata");
                    var left =
                            metadata.objects(OwnerReferences.FIELD).stream()
                                    .filter(json -> kept.test(OwnerReferences.Reference.of(json)))
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

    private static boolean isLeaving(JsonObject object) {
        return object.objectOrEmpty("metadata").has("deletionTimestamp");
    }

    private static boolean isHeldBy(JsonObject object, String finalizer) {
        return object.objectOrEmpty("metadata").strings("finalizers").contains(finalizer);
    }

    private static String uid(JsonObject object) {
        return object.objectOrEmpty("metadata").text("uid");
    }
}
