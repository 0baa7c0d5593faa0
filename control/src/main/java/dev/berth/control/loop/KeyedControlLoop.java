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

/// A loop over keys: watches mirrors, notes which keys have to be looked at, and looks at them.
/// Nothing is looked at before all mirrors have been filled.
public abstract class KeyedControlLoop<K> implements ControlLoop {

    private static final Logger LOG = LoggerFactory.getLogger(KeyedControlLoop.class);

    private static final Backoff PACE = new Backoff(Duration.ofMillis(5), Duration.ofMinutes(2));

    // The lock guards the backlog and the time.
    private final ReentrantLock lock = new ReentrantLock();
    private final WorkQueue<K> backlog = new WorkQueue<>(PACE);
    private Instant latest = Instant.MIN;
    private final List<ObjectCache<?>> mirrors = new CopyOnWriteArrayList<>();
    private final List<Runnable> wakes = new CopyOnWriteArrayList<>();

    /// Looks at one key. Called for one key by one thread at a time.
    protected abstract ReconcileResult work(K key, Instant now);

    /// Has a mirror be filled before the first key is looked at.
    protected final <T, M extends ObjectCache<T>> M needs(M mirror) {
        mirrors.add(mirror);
        mirror.onSynced(this::wake);
        return mirror;
    }

    /// Has a key looked at as soon as possible, after those that are due already.
    protected final void add(K key) {
        locked(() -> backlog.add(key, latest));
        wake();
    }

    /// Has a key looked at from a time on. When it is looked at earlier for another reason, that
    /// look counts for this one, too, and says when to come again.
    protected final void addAt(K key, Instant at) {
        locked(() -> backlog.add(key, at));
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
        wakes.forEach(Runnable::run);
    }

    @Override
    public final void onWake(Runnable wake) {
        wakes.add(wake);
    }

    @Override
    public final boolean step(Instant now) {
        if (!isFilled()) {
            return false;
        }
        var key = take(now);
        if (key.isEmpty()) {
            return false;
        }
        settle(key.get(), verdict(key.get(), now), now);
        return true;
    }

    private Optional<K> take(Instant now) {
        lock.lock();
        try {
            latest = now.isAfter(latest) ? now : latest;
            return backlog.next(now);
        } finally {
            lock.unlock();
        }
    }

    private ReconcileResult verdict(K key, Instant now) {
        try {
            return work(key, now);
        } catch (RuntimeException | Error e) {
            // An Error, too: the key would count as taken for ever, and its worker would be gone.
            LOG.warn("{}: {} failed and will be tried again", getClass().getSimpleName(), key, e);
            return new ReconcileResult.Retry(FailureText.of(e));
        }
    }

    private void settle(K key, ReconcileResult verdict, Instant now) {
        switch (verdict) {
            case ReconcileResult.Done _ -> locked(() -> backlog.done(key));
            case ReconcileResult.Retry(var why) -> {
                LOG.debug("{}: {} will be tried again: {}", getClass().getSimpleName(), key, why);
                locked(() -> backlog.retry(key, now));
                wake();
            }
            case ReconcileResult.RequeueAt(var at) -> {
                locked(() -> backlog.later(key, at));
                wake();
            }
        }
    }

    private boolean isFilled() {
        return mirrors.stream().allMatch(ObjectCache::isSynced);
    }

    @Override
    public final Optional<Instant> nextDue() {
        if (!isFilled()) {
            return Optional.empty();
        }
        lock.lock();
        try {
            return backlog.nextDue();
        } finally {
            lock.unlock();
        }
    }
}
