package dev.berth.control.loop;

import dev.berth.client.Cluster;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Kind;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// One informer cache of each kind, shared by all controllers: every change is received once.
///
/// Controllers request caches in their constructors; [#start] starts the watches. Not thread-safe.
public final class SharedCaches implements AutoCloseable {

    private final Cluster cluster;
    private final Map<ResourcePath, ObjectCache<?>> caches = new LinkedHashMap<>();
    private final List<Supplier<Cluster.Subscription>> unwatched = new ArrayList<>();
    private final List<Cluster.Subscription> subscriptions = new ArrayList<>();

    public SharedCaches(Cluster cluster) {
        this.cluster = cluster;
    }

    // The cache of a path was created for the kind of that path.
    @SuppressWarnings("unchecked")
    public <T extends KubernetesObject> ObjectCache<T> of(Kind<T> kind) {
        return (ObjectCache<T>)
                caches.computeIfAbsent(
                        ResourcePath.of(kind),
                        _ -> {
                            var cache = ObjectCache.<T>ofRecords();
                            unwatched.add(() -> cluster.watch(kind, "", cache));
                            return cache;
                        });
    }

    // A path is requested either by its kind or as JSON, never both.
    @SuppressWarnings("unchecked")
    public ObjectCache<JsonObject> of(ResourcePath address) {
        return (ObjectCache<JsonObject>)
                caches.computeIfAbsent(
                        address,
                        _ -> {
                            var cache = ObjectCache.ofJson();
                            unwatched.add(() -> cluster.watch(address, "", cache));
                            return cache;
                        });
    }

    /// An empty, synced cache of a kind that is not watched.
    public static <T extends KubernetesObject> ObjectCache<T> empty() {
        var cache = ObjectCache.<T>ofRecords();
        cache.replaceAll(List.of());
        return cache;
    }

    /// Starts the watches of all caches.
    public void start() {
        unwatched.forEach(watch -> subscriptions.add(watch.get()));
        unwatched.clear();
    }

    @Override
    public void close() {
        subscriptions.forEach(Cluster.Subscription::close);
    }
}
