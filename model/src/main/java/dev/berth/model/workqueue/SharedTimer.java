package dev.berth.model.workqueue;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/// A timer that fires once at the earliest of the times it was set to.
///
/// A timed park of a virtual thread schedules and cancels a task on the JDK's timer thread. Workers
/// therefore park untimed and share this one timer.
final class SharedTimer implements AutoCloseable {

    /// Limit of a single wait, in case the clock is set.
    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    private final Clock clock;
    private final Runnable action;
    private final Thread thread;
    private volatile boolean closed;
    // Guarded by this. MAX when no time is set.
    private Instant at = Instant.MAX;

    SharedTimer(String name, Clock clock, Runnable action) {
        this.clock = clock;
        this.action = action;
        this.thread = Thread.ofVirtual().name(name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /// Fires at that time, or earlier if an earlier time is set.
    synchronized void set(Instant time) {
        if (time.isBefore(at)) {
            at = time;
            LockSupport.unpark(thread);
        }
    }

    private synchronized Instant at() {
        return at;
    }

    private synchronized void clear() {
        at = Instant.MAX;
    }

    private void run() {
        while (!closed) {
            var time = at();
            if (time.equals(Instant.MAX)) {
                LockSupport.park(this);
                continue;
            }
            var left = Duration.between(clock.instant(), time);
            if (left.isPositive()) {
                var wait = left.compareTo(MAX_WAIT) < 0 ? left : MAX_WAIT;
                LockSupport.parkNanos(this, wait.toNanos());
            } else {
                clear();
                action.run();
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
