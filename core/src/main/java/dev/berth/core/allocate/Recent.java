package dev.berth.core.allocate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/// What was made of a key before, for a bounded number of keys: the least recently used goes first.
final class Recent<K, V> {

    private final int bound;
    private final Function<K, V> make;

    // Guarded by this.
    private final Map<K, V> made = new LinkedHashMap<>(64, 0.75f, true);

    Recent(int bound, Function<K, V> make) {
        this.bound = bound;
        this.make = make;
    }

    synchronized V of(K key) {
        var known = made.get(key);
        if (known != null) {
            return known;
        }
        var value = make.apply(key);
        made.put(key, value);
        if (made.size() > bound) {
            made.remove(made.keySet().iterator().next());
        }
        return value;
    }
}
