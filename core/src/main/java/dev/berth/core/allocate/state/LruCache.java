package dev.berth.core.allocate.state;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// LRU cache with a bounded number of entries. Thread-safe.
public final class LruCache<K, V> {

    private final int maxEntries;

    // Guarded by this.
    private final Map<K, V> entries = new LinkedHashMap<>(64, 0.75f, true);

    public LruCache(int maxEntries) {
        this.maxEntries = maxEntries;
    }

    /// The cached value, or a new one that is computed under the lock.
    public synchronized V computeIfAbsent(K key, Function<K, V> compute) {
        var cached = entries.get(key);
        if (cached != null) {
            return cached;
        }
        var value = compute.apply(key);
        put(key, value);
        return value;
    }

    public synchronized Optional<V> find(K key) {
        return Optional.ofNullable(entries.get(key));
    }

    public synchronized void put(K key, V value) {
        entries.put(key, value);
        if (entries.size() > maxEntries) {
            entries.remove(entries.keySet().iterator().next());
        }
    }
}
