package dev.berth.control.loop;

import dev.berth.client.Cluster;
import dev.berth.model.api.ObjectRef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/// All objects of a kind as they were last heard of, with indexes, and somebody to tell of changes.
///
/// One thread fills it; any may read. A reader sees indexes and objects that are as new as the
/// change it was told of, or newer.
public final class Mirror<T> implements Cluster.Follower<T> {

    /// Somebody who wants to know of changes. Both are empty never.
    @FunctionalInterface
    public interface Listener<T> {
        void changed(Optional<T> before, Optional<T> after);
    }

    /// Objects by something that they say.
    public final class Index<K> {

        private final Function<T, ? extends Collection<K>> keys;
        private final Map<K, Set<ObjectRef>> refs = new ConcurrentHashMap<>();

        private Index(Function<T, ? extends Collection<K>> keys) {
            this.keys = keys;
        }

        public List<T> find(K key) {
            var found = new ArrayList<T>();
            for (var ref : refs.getOrDefault(key, Set.of())) {
                var object = objects.get(ref);
                if (object != null) {
                    found.add(object);
                }
            }
            return found;
        }

        private void remove(T object) {
            var ref = ref(object);
            for (var key : keys.apply(object)) {
                refs.computeIfPresent(
                        key,
                        (_, known) -> {
                            known.remove(ref);
                            return known.isEmpty() ? null : known;
                        });
            }
        }

        private void add(T object) {
            var ref = ref(object);
            for (var key : keys.apply(object)) {
                refs.compute(
                        key,
                        (_, known) -> {
                            var all =
                                    known == null
                                            ? ConcurrentHashMap.<ObjectRef>newKeySet()
                                            : known;
                            all.add(ref);
                            return all;
                        });
            }
        }
    }

    private final Function<T, ObjectRef> refs;
    private final Map<ObjectRef, T> objects = new ConcurrentHashMap<>();
    private final List<Index<?>> indexes = new CopyOnWriteArrayList<>();
    private final List<Listener<T>> listeners = new CopyOnWriteArrayList<>();
    private final List<Runnable> onFilled = new CopyOnWriteArrayList<>();
    private volatile boolean filled;

    public Mirror(Function<T, ObjectRef> refs) {
        this.refs = refs;
    }

    private ObjectRef ref(T object) {
        return refs.apply(object);
    }

    /// Must be asked for before the mirror is filled.
    public <K> Index<K> index(Function<T, ? extends Collection<K>> keys) {
        var index = new Index<K>(keys);
        indexes.add(index);
        return index;
    }

    /// Must be called before the mirror is filled.
    public void listen(Listener<T> listener) {
        listeners.add(listener);
    }

    void onFilled(Runnable told) {
        onFilled.add(told);
    }

    public Optional<T> find(ObjectRef ref) {
        return Optional.ofNullable(objects.get(ref));
    }

    public Collection<T> all() {
        return Collections.unmodifiableCollection(objects.values());
    }

    /// False until everything was heard of once.
    public boolean isFilled() {
        return filled;
    }

    @Override
    public void replaceAll(Iterable<T> all) {
        var gone = new HashMap<>(objects);
        for (var object : all) {
            gone.remove(ref(object));
            put(object);
        }
        gone.values().forEach(this::remove);
        filled = true;
        onFilled.forEach(Runnable::run);
    }

    @Override
    public void put(T object) {
        var before = Optional.ofNullable(objects.put(ref(object), object));
        for (var index : indexes) {
            before.ifPresent(index::remove);
            index.add(object);
        }
        listeners.forEach(one -> one.changed(before, Optional.of(object)));
    }

    @Override
    public void remove(T object) {
        var before = objects.remove(ref(object));
        if (before != null) {
            indexes.forEach(index -> index.remove(before));
            listeners.forEach(one -> one.changed(Optional.of(before), Optional.empty()));
        }
    }
}
