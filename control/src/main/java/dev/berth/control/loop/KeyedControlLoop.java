package dev.berth.control.loop;

import dev.berth.client.cache.ObjectCache;
import dev.berth.model.workqueue.Backoff;
import dev.berth.model.workqueue.WorkQueueLoop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A controller with a work queue of keys: listeners of informer caches add keys, workers reconcile
/// them. No key is reconciled before all caches are synced.
public abstract class KeyedControlLoop<K> extends WorkQueueLoop<K> {

    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(5), Duration.ofMinutes(2));

    private final List<ObjectCache<?>> caches = new CopyOnWriteArrayList<>();

    protected KeyedControlLoop() {
        super(BACKOFF);
    }

    /// Registers a cache that must be synced before the first key is reconciled.
    protected final <T, M extends ObjectCache<T>> M needs(M cache) {
        caches.add(cache);
        cache.onSynced(this::wake);
        return cache;
    }

    @Override
    protected final boolean isReady() {
        return caches.stream().allMatch(ObjectCache::isSynced);
    }
}
