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

/// Works off a [WorkQueue] with some threads.
public final class WorkQueueRunner<K> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorkQueueRunner.class);

    /// How long closing waits for work that is under way before it interrupts it.
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /// From then on failures of a key are worth a warning.
    private static final int WORTH_A_WARNING = 5;

    private final String name;
    private final Function<K, WorkResult> work;
    private final Clock clock;
    private final List<Thread> threads = new ArrayList<>();

    // Guards the backlog and the flag.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final WorkQueue<K> backlog;
    private boolean closed;

    /// Starts working.
    ///
    /// @param workers keys that are worked on at the same time
    /// @param work may throw anything: the key is then tried again
    public WorkQueueRunner(
            String name, int workers, Backoff pace, Clock clock, Function<K, WorkResult> work) {
        this.name = name;
        this.work = work;
        this.clock = clock;
        this.backlog = new WorkQueue<>(pace);
        for (var i = 0; i < workers; i++) {
            threads.add(Thread.ofVirtual().name(name + "-" + i).start(this::run));
        }
    }

    /// The key is to be worked on now. Nothing happens after closing.
    public void add(K key) {
        addAt(key, clock.instant());
    }

    /// The key is to be worked on after that time.
    public void addAfter(K key, Duration delay) {
        addAt(key, clock.instant().plus(delay));
    }

    private void addAt(K key, Instant due) {
        lock.lock();
        try {
            if (!closed) {
                backlog.add(key, due);
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Keys that wait, due or not.
    public int waiting() {
        lock.lock();
        try {
            return backlog.waiting();
        } finally {
            lock.unlock();
        }
    }

    /// True when no key waits that is due, and none is being worked on.
    public boolean isIdle() {
        lock.lock();
        try {
            var due = backlog.nextDue();
            return backlog.taken() == 0 && (due.isEmpty() || due.get().isAfter(clock.instant()));
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            for (var key = take(); key.isPresent(); key = take()) {
                giveBack(key.get(), verdict(key.get()));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Waits for a key; nothing when the queue has been closed.
    private Optional<K> take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed) {
                var now = clock.instant();
                var key = backlog.next(now);
                if (key.isPresent()) {
                    return key;
                }
                var due = backlog.nextDue();
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

    private WorkResult verdict(K key) {
        try {
            return work.apply(key);
        } catch (RuntimeException | Error e) {
            LOG.error("{}: {} failed", name, key, e);
            return new WorkResult.Retry(FailureText.of(e));
        }
    }

    private void giveBack(K key, WorkResult verdict) {
        lock.lock();
        try {
            var now = clock.instant();
            switch (verdict) {
                case WorkResult.Done _ -> backlog.done(key);
                case WorkResult.Again(var after) -> backlog.later(key, now.plus(after));
                case WorkResult.Retry(var why) -> {
                    backlog.retry(key, now);
                    complain(key, why);
                }
            }
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private void complain(K key, String why) {
        var failures = backlog.failures(key);
        if (failures >= WORTH_A_WARNING) {
            LOG.warn("{}: {} failed {} times in a row: {}", name, key, failures, why);
        } else {
            LOG.debug("{}: {} failed: {}", name, key, why);
        }
    }

    /// Takes no more keys, and waits until those under way are done; what waits is dropped.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        for (var thread : threads) {
            if (!thread.equals(Thread.currentThread())) {
                end(thread, Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
            }
        }
    }

    private static void end(Thread thread, Duration patience) {
        try {
            if (!thread.join(patience)) {
                thread.interrupt();
            }
        } catch (InterruptedException _) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
