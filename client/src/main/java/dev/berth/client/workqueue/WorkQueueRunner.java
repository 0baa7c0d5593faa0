package dev.berth.client.workqueue;

import dev.berth.model.text.FailureText;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Processes the keys of a [WorkQueue] with a fixed number of virtual threads.
public final class WorkQueueRunner<K> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorkQueueRunner.class);

    /// How long closing waits for keys in progress before it interrupts their threads.
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    /// Number of consecutive failures of a key from which on they are logged as warnings.
    private static final int WARNING_FAILURES = 5;

    private final String name;
    private final Function<K, WorkResult> work;
    private final Clock clock;
    private final List<Thread> threads = new ArrayList<>();

    // Guards the queue and the flag.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final WorkQueue<K> queue;
    private boolean closed;

    /// Starts the workers.
    ///
    /// @param workers number of keys that are processed concurrently
    /// @param work may throw anything: the key is then retried
    public WorkQueueRunner(
            String name, int workers, Backoff backoff, Clock clock, Function<K, WorkResult> work) {
        this.name = name;
        this.work = work;
        this.clock = clock;
        this.queue = new WorkQueue<>(backoff);
        for (var i = 0; i < workers; i++) {
            threads.add(Thread.ofVirtual().name(name + "-" + i).start(this::run));
        }
    }

    /// Queues a key. No effect after closing.
    public void add(K key) {
        addAt(key, clock.instant());
    }

    /// Queues a key after a delay.
    public void addAfter(K key, Duration delay) {
        addAt(key, clock.instant().plus(delay));
    }

    private void addAt(K key, Instant due) {
        lock.lock();
        try {
            if (!closed) {
                queue.add(key, due);
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Number of queued keys, due or not.
    public int waiting() {
        lock.lock();
        try {
            return queue.waiting();
        } finally {
            lock.unlock();
        }
    }

    /// True when no queued key is due and none is being processed.
    public boolean isIdle() {
        lock.lock();
        try {
            var due = queue.nextDue();
            return queue.processing() == 0 && (due.isEmpty() || due.get().isAfter(clock.instant()));
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            for (var key = take(); key.isPresent(); key = take()) {
                finish(key.get(), process(key.get()));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Waits for a key; empty when the queue has been closed.
    private Optional<K> take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed) {
                var now = clock.instant();
                var key = queue.next(now);
                if (key.isPresent()) {
                    return key;
                }
                var due = queue.nextDue();
                if (due.isPresent()) {
                    var _ =
                            changed.awaitNanos(
                                    TimeUnit.MILLISECONDS.toNanos(
                                            1 + Duration.between(now, due.get()).toMillis()));
                } else {
                    changed.await();
                }
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private WorkResult process(K key) {
        try {
            return work.apply(key);
        } catch (RuntimeException | Error e) {
            LOG.error("{}: {} failed", name, key, e);
            return new WorkResult.Retry(FailureText.of(e));
        }
    }

    private void finish(K key, WorkResult result) {
        lock.lock();
        try {
            var now = clock.instant();
            switch (result) {
                case WorkResult.Done _ -> queue.done(key);
                case WorkResult.RequeueAfter(var after) -> queue.later(key, now.plus(after));
                case WorkResult.Retry(var why) -> {
                    queue.retry(key, now);
                    logFailure(key, why);
                }
            }
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private void logFailure(K key, String why) {
        var failures = queue.failures(key);
        if (failures >= WARNING_FAILURES) {
            LOG.warn("{}: {} failed {} times in a row: {}", name, key, failures, why);
        } else {
            LOG.debug("{}: {} failed: {}", name, key, why);
        }
    }

    /// Takes no more keys and waits for those in progress; queued keys are dropped.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        var deadline = System.nanoTime() + CLOSE_TIMEOUT.toNanos();
        for (var thread : threads) {
            if (!thread.equals(Thread.currentThread())) {
                end(thread, Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
            }
        }
    }

    private static void end(Thread thread, Duration timeout) {
        try {
            if (!thread.join(timeout)) {
                thread.interrupt();
            }
        } catch (InterruptedException _) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
