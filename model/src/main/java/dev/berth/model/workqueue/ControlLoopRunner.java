package dev.berth.model.workqueue;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs a control loop on its own threads until it is closed.
public final class ControlLoopRunner implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ControlLoopRunner.class);

    /// How long closing waits for a worker that was interrupted.
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    /// Back-off of a worker after a step that failed.
    private static final Duration FAILURE_BACKOFF = Duration.ofMillis(100);

    private final String name;
    private final ControlLoop loop;
    private final Clock clock;
    private final Duration gracePeriod;
    private final SharedTimer timer;
    private final Semaphore wakeups = new Semaphore(0);
    private final List<Thread> workers = new ArrayList<>();
    private volatile boolean closed;

    private ControlLoopRunner(
            String name, ControlLoop loop, int workers, Clock clock, Duration gracePeriod) {
        this.name = name;
        this.loop = loop;
        this.clock = clock;
        this.gracePeriod = gracePeriod;
        this.timer = new SharedTimer(name + "-timer", clock, () -> wakeups.release(workers));
    }

    /// Starts the workers. Closing interrupts steps in progress.
    public static ControlLoopRunner start(String name, ControlLoop loop, int workers, Clock clock) {
        return start(name, loop, workers, clock, Duration.ZERO);
    }

    /// Starts the workers.
    ///
    /// @param workers number of steps that run concurrently
    /// @param gracePeriod how long closing waits for steps in progress before it interrupts them
    public static ControlLoopRunner start(
            String name, ControlLoop loop, int workers, Clock clock, Duration gracePeriod) {
        var runner = new ControlLoopRunner(name, loop, workers, clock, gracePeriod);
        loop.onWake(() -> runner.wake(workers));
        runner.timer.start();
        for (var i = 0; i < workers; i++) {
            runner.workers.add(Thread.ofVirtual().name(name + "-" + i).start(runner::run));
        }
        return runner;
    }

    /// One permit for each worker is enough: a running worker continues until nothing is due.
    private void wake(int limit) {
        if (wakeups.availablePermits() < limit) {
            wakeups.release();
        }
    }

    private void run() {
        try {
            while (!closed) {
                if (!step()) {
                    awaitWork();
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// A step that fails must not end the worker, of which there are few.
    private boolean step() throws InterruptedException {
        try {
            return loop.step(clock.instant());
        } catch (RuntimeException | Error e) {
            LOG.error("{}: a step failed", name, e);
            Thread.sleep(FAILURE_BACKOFF);
            return true;
        }
    }

    private void awaitWork() throws InterruptedException {
        var due = loop.nextDue();
        if (due.isPresent()) {
            if (!due.get().isAfter(clock.instant())) {
                return;
            }
            timer.set(due.get());
        }
        wakeups.acquire();
    }

    /// Starts no more steps, and waits for those in progress.
    @Override
    public void close() {
        closed = true;
        timer.close();
        try {
            if (gracePeriod.isPositive()) {
                wakeups.release(workers.size());
                join(gracePeriod);
            }
            workers.forEach(Thread::interrupt);
            join(CLOSE_TIMEOUT);
        } catch (InterruptedException _) {
            workers.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        }
    }

    private void join(Duration timeout) throws InterruptedException {
        var deadline = System.nanoTime() + timeout.toNanos();
        for (var worker : workers) {
            if (!worker.equals(Thread.currentThread())) {
                worker.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
            }
        }
    }
}
