package dev.berth.core.allocate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// What was made of a key before, for a bounded number of keys: the least recently used goes first.
final class LruCache<K, V> {

    private final int bound;

    // Guarded by this.
    private final Map<K, V> made = new LinkedHashMap<>(64, 0.75f, true);

    LruCache(int bound) {
        this.bound = bound;
    }

    /// What was made of the key, or is made now while others wait.
    synchronized V of(K key, Function<K, V> make) {
        var known = made.get(key);
        if (known != null) {
            return known;
        }
        var value = make.apply(key);
        keep(key, value);
        return value;
    }

    synchronized Optional<V> find(K key) {
        return Optional.ofNullable(made.get(key));
    }

    synchronized void keep(K key, V value) {
        made.put(key, value);
        if (made.size() > bound) {
            made.remove(made.keySet().iterator().next());
        }
    }
}
