package dev.berth.control.loop;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs a loop with threads of its own until it is closed.
public final class ControlLoopRunner implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ControlLoopRunner.class);

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /// How long a worker waits after a step that failed.
    private static final Duration FAILURE_PAUSE = Duration.ofMillis(100);

    private final String name;
    private final ControlLoop loop;
    private final Clock clock;
    private final SharedTimer alarm;
    private final Semaphore calls = new Semaphore(0);
    private final List<Thread> workers = new ArrayList<>();
    private volatile boolean closed;

    private ControlLoopRunner(String name, ControlLoop loop, int workers, Clock clock) {
        this.name = name;
        this.loop = loop;
        this.clock = clock;
        this.alarm = new SharedTimer(name + "-alarm", clock, () -> calls.release(workers));
    }

    public static ControlLoopRunner start(String name, ControlLoop loop, int workers, Clock clock) {
        var runner = new ControlLoopRunner(name, loop, workers, clock);
        loop.onWake(() -> runner.wake(workers));
        runner.alarm.start();
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
                if (!step()) {
                    sleep();
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
            Thread.sleep(FAILURE_PAUSE);
            return true;
        }
    }

    private void sleep() throws InterruptedException {
        var due = loop.nextDue();
        if (due.isPresent()) {
            if (!due.get().isAfter(clock.instant())) {
                return;
            }
            alarm.set(due.get());
        }
        calls.acquire();
    }

    @Override
    public void close() {
        closed = true;
        alarm.close();
        workers.forEach(Thread::interrupt);
        for (var worker : workers) {
            try {
                worker.join(PATIENCE);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
