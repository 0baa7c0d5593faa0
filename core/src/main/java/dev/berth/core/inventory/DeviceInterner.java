package dev.berth.core.inventory;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/// Makes equal values one value, so that ten thousand devices of a model cost little more than one.
///
/// Shared by all that is built for one line of snapshots. It remembers what was met lately, in two
/// generations: what is met again moves to the young one, and when that is full the old one is
/// forgotten. So values of which there is only one, such as serial numbers, and those of hardware
/// that is gone do not stay. Forgetting costs room, nothing else.
public final class DeviceInterner {

    private static final int MAX_YOUNG = 100_000;

    // Guarded by this.
    private Map<Object, Object> young = new HashMap<>();
    private Map<Object, Object> old = Map.of();

    /// The first value seen that equals this one.
    public <T> T intern(T value) {
        return derive(value, Function.identity());
    }

    /// What was made of an equal key before, or what is made of this one now.
    @SuppressWarnings("unchecked") // one key type has one maker
    synchronized <K, V> V derive(K key, Function<K, V> make) {
        var made = young.get(key);
        if (made != null) {
            return (V) made;
        }
        var before = old.get(key);
        var value = before == null ? make.apply(key) : (V) before;
        if (young.size() >= MAX_YOUNG) {
            old = young;
            young = new HashMap<>();
        }
        young.put(key, value);
        return value;
    }
}
