package dev.berth.control.loop;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Runs a loop with threads of its own until it is closed.
public final class LoopRunner implements AutoCloseable {

    /// Nobody sleeps longer, lest a clock was set.
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(5);

    private final Loop loop;
    private final Clock clock;
    private final Semaphore calls = new Semaphore(0);
    private final List<Thread> workers = new ArrayList<>();
    private volatile boolean closed;

    private LoopRunner(Loop loop, Clock clock) {
        this.loop = loop;
        this.clock = clock;
    }

    public static LoopRunner start(String name, Loop loop, int workers, Clock clock) {
        var runner = new LoopRunner(loop, clock);
        loop.onWake(() -> runner.wake(workers));
        for (var i = 0; i < workers; i++) {
            runner.workers.add(Thread.ofVirtual().name(name + "-" + i).start(runner::run));
        }
        return runner;
    }

    /// One call for each worker is enough: whoever is awake works until nothing is due.
    private void wake(int most) {
        if (calls.availablePermits() < most) {
            calls.release();
        }
    }

    private void run() {
        try {
            while (!closed) {
                if (!loop.step(clock.instant())) {
                    sleep();
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void sleep() throws InterruptedException {
        var now = clock.instant();
        var due = loop.nextDue();
        if (due.isPresent() && !due.get().isAfter(now)) {
            return;
        }
        var until =
                due.map(at -> Duration.between(now, at))
                        .filter(wait -> wait.compareTo(LONGEST_SLEEP) < 0)
                        .orElse(LONGEST_SLEEP);
        calls.tryAcquire(Math.max(1, until.toMillis()), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        closed = true;
        workers.forEach(Thread::interrupt);
        for (var worker : workers) {
            try {
                worker.join(LONGEST_SLEEP);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
