package dev.berth.control.loop;

import dev.berth.client.cache.ObjectCache;
import dev.berth.client.workqueue.Backoff;
import dev.berth.client.workqueue.WorkQueue;
import dev.berth.model.text.FailureText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A controller with a work queue of keys: listeners of informer caches add keys, workers reconcile
/// them. No key is reconciled before all caches are synced.
public abstract class KeyedControlLoop<K> implements ControlLoop {

    private static final Logger LOG = LoggerFactory.getLogger(KeyedControlLoop.class);

    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(5), Duration.ofMinutes(2));

    // The lock guards the queue and the time.
    private final ReentrantLock lock = new ReentrantLock();
    private final WorkQueue<K> queue = new WorkQueue<>(BACKOFF);
    private Instant latest = Instant.MIN;
    private final List<ObjectCache<?>> caches = new CopyOnWriteArrayList<>();
    private final List<Runnable> wakeups = new CopyOnWriteArrayList<>();

    /// Reconciles one key. Never called for the same key by two threads at once.
    protected abstract ReconcileResult reconcile(K key, Instant now);

    /// Registers a cache that must be synced before the first key is reconciled.
    protected final <T, M extends ObjectCache<T>> M needs(M cache) {
        caches.add(cache);
        cache.onSynced(this::wake);
        return cache;
    }

    /// Queues a key, after the keys that are due already.
    protected final void add(K key) {
        locked(() -> queue.add(key, latest));
        wake();
    }

    /// Queues a key for a time. If it is reconciled earlier for another reason, this entry is
    /// dropped: that run returns when to reconcile again.
    protected final void addAt(K key, Instant at) {
        locked(() -> queue.add(key, at));
        wake();
    }

    private void locked(Runnable act) {
        lock.lock();
        try {
            act.run();
        } finally {
            lock.unlock();
        }
    }

    private void wake() {
        wakeups.forEach(Runnable::run);
    }

    @Override
    public final void onWake(Runnable wake) {
        wakeups.add(wake);
    }

    @Override
    public final boolean step(Instant now) {
        if (!isSynced()) {
            return false;
        }
        var key = take(now);
        if (key.isEmpty()) {
            return false;
        }
        finish(key.get(), reconcileSafely(key.get(), now), now);
        return true;
    }

    private Optional<K> take(Instant now) {
        lock.lock();
        try {
            latest = now.isAfter(latest) ? now : latest;
            return queue.next(now);
        } finally {
            lock.unlock();
        }
    }

    private ReconcileResult reconcileSafely(K key, Instant now) {
        try {
            return reconcile(key, now);
        } catch (RuntimeException | Error e) {
            // Also for an Error: the key would count as in progress for ever, and its worker would
            // end.
            LOG.warn("{}: {} failed and will be retried", getClass().getSimpleName(), key, e);
            return new ReconcileResult.Retry(FailureText.of(e));
        }
    }

    private void finish(K key, ReconcileResult result, Instant now) {
        switch (result) {
            case ReconcileResult.Done _ -> locked(() -> queue.done(key));
            case ReconcileResult.Retry(var why) -> {
                LOG.debug("{}: {} will be retried: {}", getClass().getSimpleName(), key, why);
                locked(() -> queue.retry(key, now));
                wake();
            }
            case ReconcileResult.RequeueAt(var at) -> {
                locked(() -> queue.later(key, at));
                wake();
            }
        }
    }

    private boolean isSynced() {
        return caches.stream().allMatch(ObjectCache::isSynced);
    }

    @Override
    public final Optional<Instant> nextDue() {
        if (!isSynced()) {
            return Optional.empty();
        }
        lock.lock();
        try {
            return queue.nextDue();
        } finally {
            lock.unlock();
        }
    }
}
