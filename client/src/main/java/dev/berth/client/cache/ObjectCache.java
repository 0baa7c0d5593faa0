package dev.berth.client.cache;

import dev.berth.client.Cluster;
import dev.berth.model.api.KubernetesObject;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// All objects of a kind, as far as they have been told: a event handler that others can ask.
///
/// Reads are answered without waiting, from any thread. One change after the other is taken over
/// and then told to the listeners, on the thread that tells the mirror. A listener that asks the
/// mirror sees at least what it is told.
public final class ObjectCache<T> implements Cluster.EventHandler<T> {

    private final Function<T, Identity> identity;
    private final Map<ObjectRef, T> objects = new ConcurrentHashMap<>();
    private final List<CacheIndex<?, T>> indexes = new CopyOnWriteArrayList<>();
    private final List<Listener<T>> listeners = new CopyOnWriteArrayList<>();
    private final List<Runnable> onSynced = new CopyOnWriteArrayList<>();
    private final CountDownLatch synced = new CountDownLatch(1);

    /// Which object it is, and in which state.
    private record Identity(ObjectRef ref, String uid, String revision) {}

    /// Somebody who wants to know of every change.
    public interface Listener<T> {

        /// An object is new.
        void added(T object);

        /// An object has changed.
        void changed(T before, T after);

        /// An object is gone.
        void removed(T last);

        /// Told in one way of all changes.
        static <T> Listener<T> of(Change<T> change) {
            return new Listener<>() {
                @Override
                public void added(T object) {
                    change.happened(Optional.empty(), Optional.of(object));
                }

                @Override
                public void changed(T before, T after) {
                    change.happened(Optional.of(before), Optional.of(after));
                }

                @Override
                public void removed(T last) {
                    change.happened(Optional.of(last), Optional.empty());
                }
            };
        }
    }

    /// A change as what was and what is, of which one may be nothing.
    @FunctionalInterface
    public interface Change<T> {
        void happened(Optional<T> before, Optional<T> after);
    }

    private ObjectCache(Function<T, Identity> identity) {
        this.identity = identity;
    }

    /// A mirror of a kind that has records.
    public static <T extends KubernetesObject> ObjectCache<T> ofRecords() {
        return new ObjectCache<>(object -> {
            var metadata = object.metadata();
            return new Identity(metadata.ref(), metadata.uid().value(), metadata.resourceVersion());
        });
    }

    /// A mirror of any other kind.
    public static ObjectCache<JsonObject> ofTrees() {
        return new ObjectCache<>(object -> {
            var metadata = object.objectOrEmpty("metadata");
            return new Identity(
                    new ObjectRef(metadata.text("namespace"), metadata.text("name")),
                    metadata.text("uid"),
                    metadata.text("resourceVersion"));
        });
    }

    /// The object of that name.
    public Optional<T> find(ObjectRef ref) {
        return Optional.ofNullable(objects.get(ref));
    }

    /// All objects, in no order; changes while it is read may or may not show.
    public Collection<T> all() {
        return Collections.unmodifiableCollection(objects.values());
    }

    public int size() {
        return objects.size();
    }

    /// True when everything has been told once.
    public boolean isSynced() {
        return synced.getCount() == 0;
    }

    /// Waits until everything has been told once; false when that takes longer.
    public boolean awaitSynced(Duration patience) throws InterruptedException {
        return synced.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// Has somebody told whenever everything has been told; at once when it has been already.
    public synchronized void onSynced(Runnable told) {
        onSynced.add(told);
        if (isSynced()) {
            told.run();
        }
    }

    /// The objects by something that they say, kept up to date.
    ///
    /// @param keys under which an object is found; may be none
    public synchronized <K> CacheIndex<K, T> index(Function<T, ? extends Collection<K>> keys) {
        var index = new CacheIndex<K, T>(keys);
        objects.forEach(index::put);
        indexes.add(index);
        return index;
    }

    /// Tells of all objects that are there, and then of every change.
    public synchronized void listen(Listener<T> listener) {
        objects.values().forEach(listener::added);
        listeners.add(listener);
    }

    public synchronized void forget(Listener<T> listener) {
        listeners.remove(listener);
    }

    @Override
    public synchronized void replaceAll(Iterable<T> everything) {
        var present = new LinkedHashMap<ObjectRef, T>();
        for (var object : everything) {
            present.put(identity.apply(object).ref, object);
        }
        for (var known : List.copyOf(objects.values())) {
            if (!present.containsKey(identity.apply(known).ref)) {
                remove(known);
            }
        }
        present.values().forEach(this::put);
        synced.countDown();
        onSynced.forEach(Runnable::run);
    }

    @Override
    public synchronized void put(T object) {
        var now = identity.apply(object);
        var before = Optional.ofNullable(objects.get(now.ref));
        var was = before.map(identity);
        if (was.isPresent() && was.get().equals(now) && !now.revision.isEmpty()) {
            return;
        }
        if (was.isPresent() && !was.get().uid.equals(now.uid)) {
            // Another object of the same name: whoever knew the old one must hear that it is gone.
            remove(before.get());
            before = Optional.empty();
        }
        objects.put(now.ref, object);
        if (before.isPresent()) {
            var old = before.get();
            indexes.forEach(index -> index.put(now.ref, old, object));
            listeners.forEach(listener -> listener.changed(old, object));
        } else {
            indexes.forEach(index -> index.put(now.ref, object));
            listeners.forEach(listener -> listener.added(object));
        }
    }

    @Override
    public synchronized void remove(T object) {
        var ref = identity.apply(object).ref;
        var known = objects.remove(ref);
        if (known == null) {
            return;
        }
        indexes.forEach(index -> index.removeAll(ref, known));
        listeners.forEach(listener -> listener.removed(object));
    }
}
