package dev.berth.client.cache;

import dev.berth.client.Cluster;
import dev.berth.client.ResourceVersions;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectRef;
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

/// All objects of a kind, kept up to date by a watch: an informer's store, with indexes and
/// listeners.
///
/// Reads do not block and are safe from any thread. Changes are applied one at a time and then
/// passed to the listeners, on the thread of the watch. A listener that reads the cache sees at
/// least the change that it is called for.
public final class ObjectCache<T> implements Cluster.EventHandler<T> {

    private final Function<T, Identity> identity;
    private final Map<ObjectRef, T> objects = new ConcurrentHashMap<>();
    private final List<CacheIndex<?, T>> indexes = new CopyOnWriteArrayList<>();
    private final List<Listener<T>> listeners = new CopyOnWriteArrayList<>();
    private final List<Runnable> onSynced = new CopyOnWriteArrayList<>();
    private final CountDownLatch synced = new CountDownLatch(1);

    /// Name, UID and resourceVersion of an object.
    private record Identity(ObjectRef ref, String uid, String revision) {}

    /// Receives every change of the cache.
    public interface Listener<T> {

        /// An object was added.
        void added(T object);

        /// An object was updated.
        void changed(T before, T after);

        /// An object was deleted.
        void removed(T last);

        /// A listener that handles all kinds of changes with one function.
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

    /// A change as the object before and after it. `before` is empty for additions, `after` for
    /// deletions.
    @FunctionalInterface
    public interface Change<T> {
        void happened(Optional<T> before, Optional<T> after);
    }

    private ObjectCache(Function<T, Identity> identity) {
        this.identity = identity;
    }

    /// A cache of a kind with records.
    public static <T extends KubernetesObject> ObjectCache<T> ofRecords() {
        return new ObjectCache<>(object -> {
            var metadata = object.metadata();
            return new Identity(metadata.ref(), metadata.uid().value(), metadata.resourceVersion());
        });
    }

    /// A cache of a kind without records.
    public static ObjectCache<JsonObject> ofJson() {
        return new ObjectCache<>(object -> {
            var metadata = object.objectOrEmpty("metadata");
            return new Identity(
                    new ObjectRef(metadata.text("namespace"), metadata.text("name")),
                    metadata.text("uid"),
                    metadata.text("resourceVersion"));
        });
    }

    /// The object with this namespace and name.
    public Optional<T> find(ObjectRef ref) {
        return Optional.ofNullable(objects.get(ref));
    }

    /// All objects, in no order; weakly consistent during changes.
    public Collection<T> all() {
        return Collections.unmodifiableCollection(objects.values());
    }

    public int size() {
        return objects.size();
    }

    /// True after the first complete list.
    public boolean isSynced() {
        return synced.getCount() == 0;
    }

    /// Waits for the first complete list; false on timeout.
    public boolean awaitSynced(Duration timeout) throws InterruptedException {
        return synced.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// Calls `callback` after every complete list; at once if there has been one already.
    public synchronized void onSynced(Runnable callback) {
        onSynced.add(callback);
        if (isSynced()) {
            callback.run();
        }
    }

    /// Adds an index.
    ///
    /// @param keys the keys of an object; may be empty
    public synchronized <K> CacheIndex<K, T> index(Function<T, ? extends Collection<K>> keys) {
        var index = new CacheIndex<K, T>(keys);
        objects.forEach(index::put);
        indexes.add(index);
        return index;
    }

    /// Adds a listener: it receives all present objects as additions, then every change.
    public synchronized void addListener(Listener<T> listener) {
        objects.values().forEach(listener::added);
        listeners.add(listener);
    }

    public synchronized void removeListener(Listener<T> listener) {
        listeners.remove(listener);
    }

    /// Replaces the content. A list counts even if it shows older versions: the server may have
    /// been restored from a backup.
    @Override
    public synchronized void replaceAll(Iterable<T> all) {
        var present = new LinkedHashMap<ObjectRef, T>();
        for (var object : all) {
            present.put(identity.apply(object).ref, object);
        }
        Map.copyOf(objects)
                .forEach((ref, known) -> {
                    if (!present.containsKey(ref)) {
                        delete(ref, known);
                    }
                });
        present.values().forEach(object -> apply(identity.apply(object), object));
        synced.countDown();
        onSynced.forEach(Runnable::run);
    }

    /// Applies a watch event. An event that is older than the cached version is dropped: it was
    /// overtaken by the response to a write ([#putWritten]).
    @Override
    public synchronized void put(T object) {
        var now = identity.apply(object);
        if (!isOutdated(now)) {
            apply(now, object);
        }
    }

    /// True when the cache has a newer version.
    private boolean isOutdated(Identity event) {
        var known = objects.get(event.ref);
        return known != null
                && ResourceVersions.isBefore(event.revision, identity.apply(known).revision);
    }

    /// Caches the response to a write of the owner of this cache, unless a newer version is cached.
    /// Listeners are not called: the writer knows the change, and its watch event is dropped.
    public synchronized void putWritten(T object) {
        var now = identity.apply(object);
        if (!isOutdated(now)) {
            var before = Optional.ofNullable(objects.put(now.ref, object));
            indexes.forEach(index -> index.put(now.ref, before, object));
        }
    }

    private void apply(Identity now, T object) {
        var before = Optional.ofNullable(objects.get(now.ref));
        var was = before.map(identity);
        if (was.isPresent() && was.get().equals(now) && !now.revision.isEmpty()) {
            return;
        }
        if (was.isPresent() && !was.get().uid.equals(now.uid)) {
            // Another object of the same name: listeners get the deletion of the old one first.
            delete(now.ref, before.get());
            before = Optional.empty();
        }
        objects.put(now.ref, object);
        var old = before;
        indexes.forEach(index -> index.put(now.ref, old, object));
        old.ifPresentOrElse(
                last -> listeners.forEach(listener -> listener.changed(last, object)),
                () -> listeners.forEach(listener -> listener.added(object)));
    }

    @Override
    public synchronized void remove(T object) {
        var now = identity.apply(object);
        if (!isOutdated(now)) {
            delete(now.ref, object);
        }
    }

    private void delete(ObjectRef ref, T object) {
        var known = objects.remove(ref);
        if (known == null) {
            return;
        }
        indexes.forEach(index -> index.removeAll(ref, known));
        listeners.forEach(listener -> listener.removed(object));
    }
}
