package dev.berth.control.schedule;

import dev.berth.client.Cluster;
import dev.berth.core.schedule.SchedulingQueue;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The scheduler: watches a cluster and binds pods to nodes.
///
/// Either [#start] runs it on its own threads, or a caller steps it with [#step], always from the
/// same thread. Closing it ends both; bindings in progress may or may not complete.
public final class Scheduler implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);

    /// Maximum idle time: timeouts are checked at least this often.
    private static final Duration MAX_IDLE = Duration.ofSeconds(1);

    private static final Duration MIN_IDLE = Duration.ofMillis(1);

    /// Maximum number of messages per step before the next pod is scheduled.
    private static final int MAX_MESSAGES = 1_000;

    /// Counters of a scheduler.
    ///
    /// @param binding pods in the binding pipeline
    /// @param bound pods bound so far
    /// @param decisions scheduling attempts so far
    public record Status(SchedulingQueue.Depths queue, int binding, long bound, long decisions) {}

    private final Clock clock;
    private final SchedulerOptions.WriteMode writeMode;
    private final MessageQueue inbox = new MessageQueue();
    private final SchedulerWatches watches = new SchedulerWatches(inbox);
    private final List<Thread> threads = new ArrayList<>();
    private final SchedulerMetrics metrics;
    private final SchedulerCore core;
    private volatile boolean isClosed;
    private volatile Status status;

    /// Starts to watch a cluster; schedules nothing yet.
    public Scheduler(Cluster cluster, Clock clock, SchedulerOptions options, EventSink events) {
        this.clock = clock;
        this.writeMode = options.writeMode();
        this.metrics =
                new SchedulerMetrics(
                        options.metrics(),
                        options.profiles().stream().map(one -> one.schedulerName()).toList());
        this.core =
                new SchedulerCore(
                        cluster,
                        clock,
                        options,
                        events,
                        new SchedulerObserver(metrics),
                        inbox::add);
        this.status = core.status();
        metrics.observe(() -> status.queue(), core::allocatorStatistics);
        watches.start(cluster, core.kinds());
    }

    /// Schedules on its own threads until it is closed.
    public synchronized void start() {
        if (threads.isEmpty()) {
            threads.add(Thread.ofPlatform().name("scheduler").daemon().start(this::run));
            threads.add(Thread.ofVirtual().name("scheduler-reporter").start(core.reporter()::run));
        }
    }

    private void run() {
        try {
            while (!isClosed) {
                if (!stepSafely()) {
                    idle();
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// An error must not end the scheduling thread.
    private boolean stepSafely() {
        try {
            return step(clock.instant());
        } catch (RuntimeException | Error e) {
            LOG.error("scheduling step failed", e);
            return false;
        }
    }

    private void idle() throws InterruptedException {
        var timeout =
                core.nextTime()
                        .map(time -> Duration.between(clock.instant(), time))
                        .filter(time -> time.compareTo(MAX_IDLE) < 0)
                        .orElse(MAX_IDLE);
        inbox.await(timeout.compareTo(MIN_IDLE) < 0 ? MIN_IDLE : timeout);
    }

    /// Processes messages and schedules one pod. Returns false when there was nothing to do.
    public boolean step(Instant now) {
        core.advanceTo(now);
        var read = 0;
        for (var next = inbox.poll(); next.isPresent(); next = inbox.poll()) {
            read(next.get());
            if (++read == MAX_MESSAGES) {
                break;
            }
        }
        var hasDecided = watches.isComplete() && decide();
        if (writeMode == SchedulerOptions.WriteMode.STEPWISE) {
            core.reporter().reportAll();
        }
        status = core.status();
        return hasDecided || read > 0;
    }

    private boolean decide() {
        core.runPeriodicTasks();
        return core.decideNext();
    }

    /// A failing message must not end the scheduling thread.
    private static void read(Runnable message) {
        try {
            message.run();
        } catch (RuntimeException | Error e) {
            LOG.error("processing a scheduler message failed", e);
        }
    }

    /// The next time at which there is work without new messages.
    public Optional<Instant> nextTime() {
        return core.nextTime();
    }

    /// Durations of all scheduling decisions so far.
    public DurationHistogram decisionTimes() {
        return core.decisionTimes();
    }

    /// The counters after the last step.
    public Status status() {
        return status;
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        watches.close();
        metrics.close();
        threads.forEach(Thread::interrupt);
    }
}
