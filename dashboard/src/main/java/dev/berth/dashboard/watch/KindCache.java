package dev.berth.dashboard.watch;

import dev.berth.client.Cluster;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;

/// The cache of one kind, and whether the user may read the kind.
final class KindCache<T> implements Cluster.EventHandler<T> {

    private final ResourcePath resource;
    private final ObjectCache<T> cache;
    private final WatchListener listener;
    private volatile String forbidden = "";

    KindCache(ResourcePath resource, ObjectCache<T> cache, WatchListener listener) {
        this.resource = resource;
        this.cache = cache;
        this.listener = listener;
    }

    ResourcePath resource() {
        return resource;
    }

    ObjectCache<T> cache() {
        return cache;
    }

    /// The message with which the server forbids to read the kind; empty when it permits it.
    String forbidden() {
        return forbidden;
    }

    boolean isForbidden() {
        return !forbidden.isEmpty();
    }

    /// Whether the objects are known, or known to be forbidden.
    boolean isSettled() {
        return cache.isSynced() || isForbidden();
    }

    @Override
    public void replaceAll(Iterable<T> objects) {
        cache.replaceAll(objects);
        if (isForbidden()) {
            forbidden = "";
            listener.accessChanged();
        }
        listener.listed();
    }

    @Override
    public void put(T object) {
        cache.put(object);
    }

    @Override
    public void remove(T object) {
        cache.remove(object);
    }

    @Override
    public void onForbidden(String message) {
        if (!message.equals(forbidden)) {
            forbidden = message.isEmpty() ? "forbidden" : message;
            listener.accessChanged();
        }
    }
}
