package dev.berth.client.cache;

import dev.berth.model.api.ObjectRef;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// Objects of a mirror by something that they say. Only the mirror changes it, one change after the
/// other.
public final class CacheIndex<K, T> {

    /// Up to so many keys are looked through one by one.
    private static final int FEW = 8;

    private final Function<T, ? extends Collection<K>> keys;
    private final Map<K, Map<ObjectRef, T>> places = new ConcurrentHashMap<>();

    CacheIndex(Function<T, ? extends Collection<K>> keys) {
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
        put(ref, object, keys.apply(object));
    }

    /// An object has changed; where it stays, its place stays.
    void put(ObjectRef ref, T before, T object) {
        var now = keys.apply(object);
        var kept = now.size() > FEW ? new HashSet<>(now) : now;
        for (var key : keys.apply(before)) {
            if (!kept.contains(key)) {
                remove(ref, key);
            }
        }
        put(ref, object, now);
    }

    private void put(ObjectRef ref, T object, Collection<K> under) {
        for (var key : under) {
            var there = places.get(key);
            if (there == null) {
                var place = new ConcurrentHashMap<ObjectRef, T>(1);
                place.put(ref, object);
                places.put(key, place);
            } else {
                there.put(ref, object);
            }
        }
    }

    void removeAll(ObjectRef ref, T object) {
        keys.apply(object).forEach(key -> remove(ref, key));
    }

    private void remove(ObjectRef ref, K key) {
        var place = places.get(key);
        if (place != null) {
            place.remove(ref);
            if (place.isEmpty()) {
                places.remove(key);
            }
        }
    }
}
