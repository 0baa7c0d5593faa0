package dev.berth.core.inventory;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/// Makes equal values one value, so that ten thousand devices of a model cost little more than one.
///
/// Shared by all that is built for one line of snapshots. Once full it stops remembering: what is
/// built then is larger, not wrong.
public final class Interner {

    private static final int MAX_VALUES = 2_000_000;

    private final Map<Object, Object> known = new HashMap<>();

    /// The first value seen that equals this one.
    @SuppressWarnings("unchecked") // equal values of one type; the map never mixes them up
    public synchronized <T> T intern(T value) {
        var first = known.get(value);
        if (first != null) {
            return (T) first;
        }
        if (known.size() < MAX_VALUES) {
            known.put(value, value);
        }
        return value;
    }

    /// What was made of an equal key before, or what is made of this one now.
    @SuppressWarnings("unchecked") // one key type has one maker
    synchronized <K, V> V derive(K key, Function<K, V> make) {
        var made = known.get(key);
        if (made != null) {
            return (V) made;
        }
        var value = make.apply(key);
        if (known.size() < MAX_VALUES) {
            known.put(key, value);
        }
        return value;
    }
}
