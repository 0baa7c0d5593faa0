package dev.berth.server.lifecycle;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.DeleteOptions;
import dev.berth.server.registry.Deletes;
import dev.berth.server.registry.Objects;
import dev.berth.server.registry.Registry;
import dev.berth.server.registry.Resource;
import dev.berth.server.store.Change;
import dev.berth.server.store.Key;
import dev.berth.server.store.Listing;
import dev.berth.server.store.Scope;
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
    private final Errands errands;
    // Guarded by this.
    private final Map<String, Set<Key>> dependents = new HashMap<>();

    GarbageCollector(Registry registry, Errands errands) {
        this.registry = registry;
        this.errands = errands;
    }

    /// Follows a change of any kind.
    void on(Change change) {
        var key = change.entry().key();
        // What is deleted is known as it was before.
        var object =
                Objects.tree(
                        change.type() == Change.Type.DELETED
                                ? change.previous().orElse(change.entry())
                                : change.entry());
        index(change, key, object);
        if (change.type() == Change.Type.DELETED) {
            dependentsOf(uid(object)).forEach(this::examineSoon);
            ownersOf(object).forEach(this::finishSoon);
            return;
        }
        if (!Owners.of(object).stream().allMatch(owner -> stands(owner, object))) {
            examineSoon(key);
        }
        if (isAwaiting(object)) {
            finishSoon(key);
        }
    }

    private void examineSoon(Key key) {
        errands.run(key, () -> examine(key));
    }

    private void finishSoon(Key key) {
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
                && (isHeldBy(object, Deletes.ORPHAN) || isHeldBy(object, Deletes.FOREGROUND));
    }

    private synchronized void index(Change change, Key key, JsonObject object) {
        change.previous()
                .map(Objects::tree)
                .ifPresent(before ->
                        Owners.of(before)
                                .forEach(owner -> {
                                    var known = dependents.get(owner.uid());
                                    if (known != null && known.remove(key) && known.isEmpty()) {
                                        dependents.remove(owner.uid());
                                    }
                                }));
        if (change.type() != Change.Type.DELETED) {
            Owners.of(object)
                    .forEach(owner ->
                            dependents.computeIfAbsent(owner.uid(), _ -> new HashSet<>()).add(key));
        }
    }

    private synchronized List<Key> dependentsOf(String uid) {
        return List.copyOf(dependents.getOrDefault(uid, Set.of()));
    }

    private List<Key> ownersOf(JsonObject object) {
        return Owners.of(object).stream().flatMap(owner -> keyOf(owner, object).stream()).toList();
    }

    private Optional<Key> keyOf(Owners.Reference owner, JsonObject dependent) {
        return owner.resource(registry.resources())
                .map(resource ->
                        new Key(
                                resource.collection(),
                                resource.isNamespaced()
                                        ? dependent.objectOrEmpty("metadata").text("namespace")
                                        : "",
                                owner.name()));
    }

    /// Deletes an object that has lost all its owners. If it has changed meanwhile, it may have
    /// lost its references too, and is left alone: news of that change brings us here again.
    private void examine(Key key) {
        var object = registry.objects().get(key.collection(), key.namespace(), key.name());
        var resource = registry.resources().byCollection(key.collection());
        if (object.isEmpty() || resource.isEmpty()) {
            return;
        }
        var owners = Owners.of(object.get());
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
            JsonObject object, List<Owners.Reference> owners) {
        var awaited =
                owners.stream().anyMatch(owner -> owner.blocksDeletion() && isThere(owner, object));
        if (isHeldBy(object, Deletes.ORPHAN)) {
            return Optional.of(DeleteOptions.Policy.ORPHAN);
        }
        return (awaited && !dependentsOf(uid(object)).isEmpty())
                        || isHeldBy(object, Deletes.FOREGROUND)
                ? Optional.of(DeleteOptions.Policy.FOREGROUND)
                : Optional.of(DeleteOptions.Policy.BACKGROUND);
    }

    /// True when the owner is there to stay. One of a kind that we do not know gets the benefit of
    /// the doubt.
    private boolean stands(Owners.Reference owner, JsonObject dependent) {
        return owner(owner, dependent)
                .map(found -> !(isLeaving(found) && isHeldBy(found, Deletes.FOREGROUND)))
                .orElse(owner.resource(registry.resources()).isEmpty());
    }

    private boolean isThere(Owners.Reference owner, JsonObject dependent) {
        return owner(owner, dependent).isPresent();
    }

    private Optional<JsonObject> owner(Owners.Reference owner, JsonObject dependent) {
        return keyOf(owner, dependent)
                .flatMap(key ->
                        registry.objects().get(key.collection(), key.namespace(), key.name()))
                .filter(found -> uid(found).equals(owner.uid()));
    }

    /// Does what an owner that is being deleted still waits for.
    private void finish(Key key) {
        var found = registry.objects().get(key.collection(), key.namespace(), key.name());
        var resource = registry.resources().byCollection(key.collection());
        if (found.isEmpty() || resource.isEmpty() || !isLeaving(found.get())) {
            return;
        }
        var owner = found.get();
        if (isHeldBy(owner, Deletes.ORPHAN)) {
            for (var dependent : storedDependentsOf(uid(owner))) {
                registry.resources()
                        .byCollection(dependent.collection())
                        .ifPresent(kind ->
                                keepOwners(kind, dependent, one -> !one.uid().equals(uid(owner))));
            }
            removeFinalizer(resource.get(), key, Deletes.ORPHAN);
        } else if (isHeldBy(owner, Deletes.FOREGROUND)) {
            var stored = storedDependentsOf(uid(owner));
            if (stored.stream().noneMatch(one -> blocks(one, owner))) {
                removeFinalizer(resource.get(), key, Deletes.FOREGROUND);
            }
            stored.forEach(this::examineSoon);
        }
    }

    /// Dependents as the store has them now. Each kind is followed by itself, so a dependent may be
    /// there that we have not heard of; to let its owner go would be the end of it.
    private List<Key> storedDependentsOf(String uid) {
        var found = new ArrayList<Key>();
        for (var collection : collections()) {
            if (registry.store().list(Scope.all(collection), 0, "", 0)
                    instanceof Listing.Page page) {
                for (var entry : page.entries()) {
                    // Looking at the text first spares us reading what has nothing to do with it.
                    if (new String(entry.bytes(), StandardCharsets.ISO_8859_1).contains(uid)
                            && isOwnedBy(Objects.tree(entry), uid)) {
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
        return Owners.of(object).stream().anyMatch(owner -> owner.uid().equals(uid));
    }

    private boolean blocks(Key dependent, JsonObject owner) {
        return registry.objects()
                .get(dependent.collection(), dependent.namespace(), dependent.name())
                .filter(object ->
                        Owners.of(object).stream()
                                .anyMatch(one ->
                                        one.blocksDeletion() && one.uid().equals(uid(owner))))
                .isPresent();
    }

    private void keepOwners(Resource resource, Key key, Predicate<Owners.Reference> kept) {
        registry.change(
                resource,
                key,
                object -> {
                    var metadata = object.objectOrEmpty("metadata");
                    var left =
                            metadata.objects(Owners.FIELD).stream()
                                    .filter(json -> kept.test(Owners.Reference.of(json)))
                                    .<Json>map(json -> json)
                                    .toList();
                    return object.with(
                            "metadata",
                            left.isEmpty()
                                    ? metadata.without(Owners.FIELD)
                                    : metadata.with(Owners.FIELD, new JsonArray(left)));
                });
    }

    private void removeFinalizer(Resource resource, Key key, String finalizer) {
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
