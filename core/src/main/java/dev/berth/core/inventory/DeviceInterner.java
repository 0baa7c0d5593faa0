package dev.berth.core.inventory;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/// Interns equal values, so that ten thousand devices of one model need little more memory than
/// one.
///
/// Shared by all tables of one sequence of snapshots. A bounded cache of two generations: a value
/// that is looked up moves to the young generation, and when that is full, the old one is dropped.
/// So unique values, such as serial numbers, and those of removed hardware do not stay. A dropped
/// value costs memory only.
public final class DeviceInterner {

    private static final int MAX_YOUNG = 100_000;

    // Guarded by this.
    private Map<Object, Object> young = new HashMap<>();
    private Map<Object, Object> old = Map.of();

    /// The canonical value equal to this one.
    public <T> T intern(T value) {
        return derive(value, Function.identity());
    }

    /// The value computed for an equal key, from the cache or new.
    @SuppressWarnings("unchecked") // each key type has one function
    synchronized <K, V> V derive(K key, Function<K, V> compute) {
        var cached = young.get(key);
        if (cached != null) {
            return (V) cached;
        }
        var aged = old.get(key);
        var value = aged == null ? compute.apply(key) : (V) aged;
        if (young.size() >= MAX_YOUNG) {
            old = young;
            young = new HashMap<>();
        }
        young.put(key, value);
        return value;
    }
}
