package dev.berth.control.loop;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/// Rings once at the earliest of the times it was set to.
///
/// Sleepers who each set an alarm of their own cost the virtual machine the waking of its timer
/// twice: when they lie down and when somebody wakes them early. So those of a loop share one.
final class SharedTimer implements AutoCloseable {

    /// Nobody sleeps longer, lest a clock was set.
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(5);

    private final Clock clock;
    private final Runnable ring;
    private final Thread thread;
    private volatile boolean closed;
    // Guarded by this. MAX when nobody waits.
    private Instant at = Instant.MAX;

    SharedTimer(String name, Clock clock, Runnable ring) {
        this.clock = clock;
        this.ring = ring;
        this.thread = Thread.ofVirtual().name(name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /// Has it ring at that time, or earlier if somebody else wants that.
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
                var nap = left.compareTo(LONGEST_SLEEP) < 0 ? left : LONGEST_SLEEP;
                LockSupport.parkNanos(this, nap.toNanos());
            } else {
                clear();
                ring.run();
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
