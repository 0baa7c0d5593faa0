package dev.berth.control.schedule;

import java.time.Duration;

/// How things are done that take time.
interface TaskRunner {

    /// Does it, now or soon.
    void start(Runnable task);

    /// Waits before another try.
    void backOff(Duration time);

    /// Each in a virtual thread.
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

    /// At once, and without waiting: time is somebody else's.
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
