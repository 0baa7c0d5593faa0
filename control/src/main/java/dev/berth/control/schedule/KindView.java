package dev.berth.control.schedule;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The watched objects of one kind. Belongs to the scheduler's thread.
///
/// A list replaces all objects: those that are missing in it are removed.
final class KindView<K, T> {

    private final KindRules<K, T> rules;
    private final Map<K, T> objects;

    KindView(KindRules<K, T> rules) {
        this(rules, new HashMap<>());
    }

    /// @param objects the map to keep the objects in, for other readers on this thread
    KindView(KindRules<K, T> rules, Map<K, T> objects) {
        this.rules = rules;
        this.objects = objects;
    }

    void put(T object) {
        if (put(object, false)) {
            rules.applied(false);
        }
    }

    private boolean put(T object, boolean isListed) {
        var key = rules.key(object);
        var before = Optional.ofNullable(objects.get(key));
        if (before.isPresent() && rules.isEquivalent(before.get(), object)) {
            return false;
        }
        objects.put(key, object);
        rules.put(object, before, isListed);
        return true;
    }

    void remove(T object) {
        objects.remove(rules.key(object));
        rules.remove(object);
        rules.applied(false);
    }

    void replaceAll(Iterable<T> listed) {
        var missing = new HashMap<>(objects);
        for (var object : listed) {
            missing.remove(rules.key(object));
            put(object, true);
        }
        for (var object : missing.values()) {
            objects.remove(rules.key(object));
            rules.remove(object);
        }
        rules.applied(true);
    }
}
