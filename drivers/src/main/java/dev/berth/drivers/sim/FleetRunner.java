package dev.berth.drivers.sim;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Runs a fleet with threads of its own until it is closed; closing it closes the fleet.
public final class FleetRunner implements AutoCloseable {

    private static final int WORKERS = 16;

    /// Nobody sleeps longer, lest a clock was set.
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(5);

    private final SimulatedFleet fleet;
    private final Clock clock;
    private final Semaphore calls = new Semaphore(0);
    private final List<Thread> workers = new ArrayList<>();
    private volatile boolean isClosed;

    private FleetRunner(SimulatedFleet fleet, Clock clock) {
        this.fleet = fleet;
        this.clock = clock;
    }

    public static FleetRunner start(SimulatedFleet fleet, Clock clock) {
        var runner = new FleetRunner(fleet, clock);
        fleet.onWake(runner::wake);
        fleet.start();
        for (var i = 0; i < WORKERS; i++) {
            runner.workers.add(Thread.ofVirtual().name("sim-" + i).start(runner::run));
        }
        return runner;
    }

    /// One call for each worker is enough: whoever is awake works until nothing is due.
    private void wake() {
        if (calls.availablePermits() < WORKERS) {
            calls.release();
        }
    }

    private void run() {
        try {
            while (!isClosed) {
                if (!fleet.step(clock.instant())) {
                    sleep();
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void sleep() throws InterruptedException {
        var now = clock.instant();
        var due = fleet.nextDue();
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
        isClosed = true;
        workers.forEach(Thread::interrupt);
        for (var worker : workers) {
            try {
                worker.join(LONGEST_SLEEP);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        fleet.close();
    }
}
