package dev.berth.control.schedule;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Unbounded message queue of one thread, in order of arrival. Messages added together wake it
/// once.
final class MessageQueue {

    // Guards the three fields below.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition hasArrived = lock.newCondition();
    private Deque<Runnable> arrived = new ArrayDeque<>();
    private boolean isAwaited;

    // Belongs to the reading thread.
    private Deque<Runnable> current = new ArrayDeque<>();

    void add(Runnable message) {
        addAll(List.of(message));
    }

    void addAll(Collection<Runnable> messages) {
        lock.lock();
        try {
            arrived.addAll(messages);
            if (isAwaited) {
                isAwaited = false;
                hasArrived.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /// The next message; empty when there is none.
    Optional<Runnable> poll() {
        if (current.isEmpty()) {
            swap();
        }
        return Optional.ofNullable(current.poll());
    }

    private void swap() {
        lock.lock();
        try {
            var empty = current;
            current = arrived;
            arrived = empty;
        } finally {
            lock.unlock();
        }
    }

    /// Waits for a message up to a timeout.
    void await(Duration timeout) throws InterruptedException {
        if (!current.isEmpty()) {
            return;
        }
        lock.lock();
        try {
            var left = timeout.toNanos();
            while (arrived.isEmpty() && left > 0) {
                isAwaited = true;
                left = hasArrived.awaitNanos(left);
            }
        } finally {
            isAwaited = false;
            lock.unlock();
        }
    }
}
