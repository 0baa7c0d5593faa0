package dev.berth.drivers.sim;

import dev.berth.client.Cluster;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.json.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Cache of the relevant objects of a kind, from watch events and from responses to our own writes,
/// whichever is newer.
final class ObservedObjects implements Cluster.EventHandler<JsonObject> {

    private final Map<ObjectRef, JsonObject> objects = new ConcurrentHashMap<>();
    private final Predicate<JsonObject> isRelevant;
    private final Consumer<JsonObject> onChange;
    private final Runnable onSynced;
    private volatile boolean hasSynced;

    /// @param onChange called for each object that is added, changed or deleted
    /// @param onSynced called when the initial list is complete
    ObservedObjects(
            Predicate<JsonObject> isRelevant, Consumer<JsonObject> onChange, Runnable onSynced) {
        this.isRelevant = isRelevant;
        this.onChange = onChange;
        this.onSynced = onSynced;
    }

    Optional<JsonObject> find(ObjectRef ref) {
        return Optional.ofNullable(objects.get(ref));
    }

    Iterable<JsonObject> all() {
        return objects.values();
    }

    @Override
    public void replaceAll(Iterable<JsonObject> everything) {
        var listed = new HashSet<ObjectRef>();
        for (var object : everything) {
            listed.add(ref(object));
            put(object);
        }
        for (var object : List.copyOf(objects.values())) {
            if (!listed.contains(ref(object))) {
                objects.remove(ref(object));
                onChange.accept(object);
            }
        }
        hasSynced = true;
        onSynced.run();
    }

    /// Whether the initial list is complete.
    boolean hasSynced() {
        return hasSynced;
    }

    @Override
    public void put(JsonObject object) {
        if (isRelevant.test(object) && putIfNewer(object)) {
            onChange.accept(object);
        }
    }

    /// Caches an object without calling the listener; false when it is not newer than the cached
    /// one.
    boolean putIfNewer(JsonObject object) {
        var isNew = new AtomicBoolean();
        objects.compute(
                ref(object),
                (_, old) -> {
                    if (old != null && version(object) <= version(old)) {
                        return old;
                    }
                    isNew.set(true);
                    return object;
                });
        return isNew.get();
    }

    @Override
    public void remove(JsonObject object) {
        var ref = ref(object);
        objects.computeIfPresent(ref, (_, old) -> version(old) > version(object) ? old : null);
        if (isRelevant.test(object)) {
            onChange.accept(object);
        }
    }

    static ObjectRef ref(JsonObject object) {
        var metadata = object.objectOrEmpty("metadata");
        return new ObjectRef(metadata.text("namespace"), metadata.text("name"));
    }

    static String uid(JsonObject object) {
        return object.objectOrEmpty("metadata").text("uid");
    }

    private static long version(JsonObject object) {
        try {
            return Long.parseLong(object.objectOrEmpty("metadata").text("resourceVersion"));
        } catch (NumberFormatException _) {
            return Long.MAX_VALUE;
        }
    }
}
