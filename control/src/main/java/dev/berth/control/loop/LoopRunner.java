package dev.berth.control.loop;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/// Runs a loop with threads of its own until it is closed.
public final class LoopRunner implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Loop loop;
    private final Clock clock;
    private final Alarm alarm;
    private final Semaphore calls = new Semaphore(0);
    private final List<Thread> workers = new ArrayList<>();
    private volatile boolean closed;

    private LoopRunner(String name, Loop loop, int workers, Clock clock) {
        this.loop = loop;
        this.clock = clock;
        this.alarm = new Alarm(name + "-alarm", clock, () -> calls.release(workers));
    }

    public static LoopRunner start(String name, Loop loop, int workers, Clock clock) {
        var runner = new LoopRunner(name, loop, workers, clock);
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
                if (!loop.step(clock.instant())) {
                    sleep();
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
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
