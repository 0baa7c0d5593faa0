package dev.berth.drivers.sim;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Runs the tasks of a fleet on worker threads until it is closed; closing it closes the fleet.
public final class FleetRunner implements AutoCloseable {

    private static final int WORKERS = 16;

    /// Maximum sleep of a worker, in case the system clock is changed.
    private static final Duration MAX_SLEEP = Duration.ofSeconds(5);

    private final SimulatedFleet fleet;
    private final Clock clock;
    private final Semaphore wakeUps = new Semaphore(0);
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

    /// One permit for each worker suffices: an awake worker runs until no task is due.
    private void wake() {
        if (wakeUps.availablePermits() < WORKERS) {
            wakeUps.release();
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
                        .filter(wait -> wait.compareTo(MAX_SLEEP) < 0)
                        .orElse(MAX_SLEEP);
        wakeUps.tryAcquire(Math.max(1, until.toMillis()), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        isClosed = true;
        workers.forEach(Thread::interrupt);
        for (var worker : workers) {
            try {
                worker.join(MAX_SLEEP);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        fleet.close();
    }
}
