package dev.berth.model.workqueue;

import dev.berth.model.text.FailureText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A control loop that reconciles the keys of a [WorkQueue]. Thread-safe.
public abstract class WorkQueueLoop<K> implements ControlLoop {

    private static final Logger LOG = LoggerFactory.getLogger(WorkQueueLoop.class);

    // The lock guards the queue and the time.
    private final ReentrantLock lock = new ReentrantLock();
    private final WorkQueue<K> queue;
    private Instant latest = Instant.MIN;
    private final List<Runnable> wakeups = new CopyOnWriteArrayList<>();
    private volatile boolean isStopped;

    protected WorkQueueLoop(Backoff backoff) {
        this.queue = new WorkQueue<>(backoff);
    }

    /// Reconciles one key. Never called for the same key by two threads at once. May throw
    /// anything: the key is then retried.
    protected abstract WorkResult reconcile(K key, Instant now);

    /// False as long as no key may be reconciled. A loop that becomes ready has to call [#wake].
    protected boolean isReady() {
        return true;
    }

    /// Queues a key, after the keys that are due already.
    protected final void add(K key) {
        locked(() -> queue.addNow(key, latest));
        wake();
    }

    /// Queues a key for a time. If it is reconciled earlier for another reason, this entry is
    /// dropped: that run returns when to reconcile again.
    protected final void addAt(K key, Instant at) {
        locked(() -> queue.add(key, at));
        wake();
    }

    /// Stops the loop: no further key is reconciled, and failures of keys in progress, which the
    /// shutdown may have caused, are not logged.
    protected final void stop() {
        isStopped = true;
    }

    /// Passes what happens to the keys to an observer, from the next key on.
    public final void observe(WorkQueueObserver observer) {
        locked(() -> queue.observe(observer));
    }

    /// Number of queued keys that are due.
    public final int depth(Instant now) {
        lock.lock();
        try {
            return queue.depth(now);
        } finally {
            lock.unlock();
        }
    }

    private void locked(Runnable act) {
        lock.lock();
        try {
            act.run();
        } finally {
            lock.unlock();
        }
    }

    protected final void wake() {
        wakeups.forEach(Runnable::run);
    }

    @Override
    public final void onWake(Runnable wake) {
        wakeups.add(wake);
    }

    @Override
    public final boolean step(Instant now) {
        if (isStopped || !isReady()) {
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

    private WorkResult reconcileSafely(K key, Instant now) {
        try {
            var result = reconcile(key, now);
            if (result instanceof WorkResult.Retry(var why)) {
                logRetry(key, why);
            }
            return result;
        } catch (RuntimeException | Error e) {
            // Also for an Error: the key would count as in progress for ever, and its worker would
            // end.
            if (!isStopped) {
                LOG.error("{}: {} failed and will be retried", getClass().getSimpleName(), key, e);
            }
            return new WorkResult.Retry(FailureText.of(e));
        }
    }

    /// A warning only for a key that has been failing so long that its delay is the longest.
    private void logRetry(K key, String why) {
        if (isFailingLongest(key)) {
            LOG.warn("{}: {} keeps failing: {}", getClass().getSimpleName(), key, why);
        } else {
            LOG.debug("{}: {} will be retried: {}", getClass().getSimpleName(), key, why);
        }
    }

    private boolean isFailingLongest(K key) {
        lock.lock();
        try {
            return queue.isFailingLongest(key);
        } finally {
            lock.unlock();
        }
    }

    private void finish(K key, WorkResult result, Instant now) {
        switch (result) {
            case WorkResult.Done _ -> locked(() -> queue.done(key));
            case WorkResult.Retry _ -> {
                locked(() -> queue.retry(key, now));
                wake();
            }
            case WorkResult.RequeueAt(var at) -> {
                locked(() -> queue.later(key, at));
                wake();
            }
        }
    }

    /// When the next key is due: a time in the past for now, empty when none is queued.
    @Override
    public final Optional<Instant> nextDue() {
        if (isStopped || !isReady()) {
            return Optional.empty();
        }
        lock.lock();
        try {
            return queue.nextDue();
        } finally {
            lock.unlock();
        }
    }

    /// True when no queued key is due and none is being reconciled.
    protected final boolean isIdle(Instant now) {
        lock.lock();
        try {
            return queue.processing() == 0
                    && queue.nextDue().filter(at -> !at.isAfter(now)).isEmpty();
        } finally {
            lock.unlock();
        }
    }
}
