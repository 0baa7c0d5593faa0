package dev.berth.core.cel.value;

import dev.berth.core.cel.library.CelError;
import dev.berth.core.cel.library.CelValues;
import java.util.LinkedHashMap;
import java.util.Map;

/// The map that a comprehension fills. Only the step of the loop reads it before it is complete, so
/// entries are added in place.
public final class GrowingMap extends LinkedHashMap<Object, Object> {

    private static final long serialVersionUID = 1L;

    /// Adds an entry whose key must be new.
    public static Object insert(Object target, Object key, Object value) {
        if (!(target instanceof Map<?, ?> map)) {
            return CelError.noSuchOverload();
        }
        if (CelValues.find(map, key).isPresent()) {
            return new CelError("insert failed: key %s already exists".formatted(key));
        }
        var grown = growing(map);
        grown.put(key, value);
        return grown;
    }

    /// Adds all entries of another map.
    public static Object insertAll(Object target, Object entries) {
        if (!(entries instanceof Map<?, ?> map)) {
            return CelError.noSuchOverload();
        }
        var result = target;
        for (var entry : map.entrySet()) {
            result = insert(result, entry.getKey(), entry.getValue());
            if (result instanceof CelError) {
                return result;
            }
        }
        return result;
    }

    private static GrowingMap growing(Map<?, ?> map) {
        if (map instanceof GrowingMap growing) {
            return growing;
        }
        var copy = new GrowingMap();
        copy.putAll(map);
        return copy;
    }
}
