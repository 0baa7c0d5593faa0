package dev.berth.control.schedule;

import java.time.Duration;

/// Runs blocking work: on virtual threads, or inline in simulations.
interface TaskRunner {

    /// Runs a task, now or soon.
    void start(Runnable task);

    /// Waits before a retry.
    void backOff(Duration time);

    static TaskRunner of(SchedulerOptions.WriteMode mode) {
        return switch (mode) {
            case CONCURRENT -> onVirtualThreads();
            case STEPWISE -> inline();
        };
    }

    /// One virtual thread per task.
    static TaskRunner onVirtualThreads() {
        return new TaskRunner() {
            @Override
            public void start(Runnable task) {
                Thread.startVirtualThread(task);
            }

            @Override
            public void backOff(Duration time) {
                try {
                    Thread.sleep(time);
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
            }
        };
    }

    /// Inline and without delays: simulations control the time.
    static TaskRunner inline() {
        return new TaskRunner() {
            @Override
            public void start(Runnable task) {
                task.run();
            }

            @Override
            public void backOff(Duration time) {}
        };
    }
}
