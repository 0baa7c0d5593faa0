package dev.berth.client.mirror;

import dev.berth.model.api.ObjectRef;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// Objects of a mirror by something that they say.
public final class Index<K, T> {

    private final Function<T, ? extends Collection<K>> keys;
    private final Map<K, Map<ObjectRef, T>> places = new ConcurrentHashMap<>();

    Index(Function<T, ? extends Collection<K>> keys) {
        this.keys = keys;
    }

    /// The objects under a key, in no order.
    public List<T> find(K key) {
        return List.copyOf(places.getOrDefault(key, Map.of()).values());
    }

    /// All keys under which there is something.
    public Set<K> keys() {
        return Set.copyOf(places.keySet());
    }

    void put(ObjectRef ref, T object) {
        put(ref, object, new HashSet<>(keys.apply(object)));
    }

    /// An object has changed; where it stays, its place stays.
    void put(ObjectRef ref, T before, T object) {
        var now = new HashSet<>(keys.apply(object));
        for (var key : keys.apply(before)) {
            if (!now.contains(key)) {
                remove(ref, key);
            }
        }
        put(ref, object, now);
    }

    private void put(ObjectRef ref, T object, Set<K> under) {
        for (var key : under) {
            places.compute(
                    key,
                    (_, there) -> {
                        var place = there == null ? new ConcurrentHashMap<ObjectRef, T>() : there;
                        place.put(ref, object);
                        return place;
                    });
        }
    }

    void removeAll(ObjectRef ref, T object) {
        keys.apply(object).forEach(key -> remove(ref, key));
    }

    private void remove(ObjectRef ref, K key) {
        places.computeIfPresent(
                key,
                (_, place) -> {
                    place.remove(ref);
                    return place.isEmpty() ? null : place;
                });
    }
}
