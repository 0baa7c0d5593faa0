package dev.berth.client.cache;

import dev.berth.model.api.meta.ObjectRef;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// An index of an [ObjectCache]: objects by keys computed from them. Only the cache changes it, one
/// change at a time.
public final class CacheIndex<K, T> {

    /// Up to this number of keys is searched linearly.
    private static final int LINEAR_SEARCH_LIMIT = 8;

    private final Function<T, ? extends Collection<K>> keys;
    private final Map<K, Map<ObjectRef, T>> entries = new ConcurrentHashMap<>();

    CacheIndex(Function<T, ? extends Collection<K>> keys) {
        this.keys = keys;
    }

    /// The objects with a key, in no order.
    public List<T> find(K key) {
        return List.copyOf(entries.getOrDefault(key, Map.of()).values());
    }

    /// All keys with at least one object.
    public Set<K> keys() {
        return Set.copyOf(entries.keySet());
    }

    void put(ObjectRef ref, T object) {
        put(ref, object, keys.apply(object));
    }

    /// Adds an object, or replaces a changed one; keys that stay the same are not removed in
    /// between.
    void put(ObjectRef ref, Optional<T> before, T object) {
        if (before.isPresent()) {
            replace(ref, before.get(), object);
        } else {
            put(ref, object);
        }
    }

    private void replace(ObjectRef ref, T before, T object) {
        var now = keys.apply(object);
        var kept = now.size() > LINEAR_SEARCH_LIMIT ? new HashSet<>(now) : now;
        for (var key : keys.apply(before)) {
            if (!kept.contains(key)) {
                remove(ref, key);
            }
        }
        put(ref, object, now);
    }

    private void put(ObjectRef ref, T object, Collection<K> keysOfObject) {
        for (var key : keysOfObject) {
            var there = entries.get(key);
            if (there == null) {
                var added = new ConcurrentHashMap<ObjectRef, T>(1);
                added.put(ref, object);
                entries.put(key, added);
            } else {
                there.put(ref, object);
            }
        }
    }

    void removeAll(ObjectRef ref, T object) {
        keys.apply(object).forEach(key -> remove(ref, key));
    }

    private void remove(ObjectRef ref, K key) {
        var found = entries.get(key);
        if (found != null) {
            found.remove(ref);
            if (found.isEmpty()) {
                entries.remove(key);
            }
        }
    }
}
