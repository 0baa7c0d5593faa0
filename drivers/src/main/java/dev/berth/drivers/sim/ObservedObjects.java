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

/// The objects of a kind that matter here, as they were last seen: told by the cluster, or answered
/// to a write of our own, whichever is newer.
final class ObservedObjects implements Cluster.EventHandler<JsonObject> {

    private final Map<ObjectRef, JsonObject> objects = new ConcurrentHashMap<>();
    private final Predicate<JsonObject> matters;
    private final Consumer<JsonObject> onChange;
    private final Runnable onAll;
    private volatile boolean isComplete;

    /// @param onChange told of each object that is new, changed or gone
    /// @param onAll told when everything there is has been seen
    ObservedObjects(Predicate<JsonObject> matters, Consumer<JsonObject> onChange, Runnable onAll) {
        this.matters = matters;
        this.onChange = onChange;
        this.onAll = onAll;
    }

    Optional<JsonObject> find(ObjectRef ref) {
        return Optional.ofNullable(objects.get(ref));
    }

    Iterable<JsonObject> all() {
        return objects.values();
    }

    @Override
    public void replaceAll(Iterable<JsonObject> everything) {
        var there = new HashSet<ObjectRef>();
        for (var object : everything) {
            there.add(ref(object));
            put(object);
        }
        for (var object : List.copyOf(objects.values())) {
            if (!there.contains(ref(object))) {
                objects.remove(ref(object));
                onChange.accept(object);
            }
        }
        isComplete = true;
        onAll.run();
    }

    /// True when everything there is has been seen once.
    boolean isComplete() {
        return isComplete;
    }

    @Override
    public void put(JsonObject object) {
        if (matters.test(object) && remember(object)) {
            onChange.accept(object);
        }
    }

    /// Takes note of what the server answered, without telling anybody; false when it is old.
    boolean remember(JsonObject object) {
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
        if (matters.test(object)) {
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
