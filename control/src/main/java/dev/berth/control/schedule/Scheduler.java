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

/// Places pods.
///
/// Either [#start] gives it a thread of its own, or somebody calls [#step] again and again, always
/// from the same thread. Closing it ends both; pods on their way may or may not arrive.
public final class Scheduler implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);

    /// Some things only time brings about, and they are looked after this often.
    private static final Duration MAX_IDLE = Duration.ofSeconds(1);

    private static final Duration MIN_IDLE = Duration.ofMillis(1);

    /// How many messages are read before the next pod gets its turn.
    private static final int MAX_MESSAGES = 1_000;

    /// How it stands.
    ///
    /// @param binding pods on their way
    /// @param bound how many have arrived
    /// @param decisions how often a pod was tried
    public record Status(SchedulingQueue.Depths queue, int binding, long bound, long decisions) {}

    private final Clock clock;
    private final SchedulerOptions.WriteMode writeMode;
    private final MessageQueue inbox = new MessageQueue();
    private final SchedulerWatches watches = new SchedulerWatches(inbox);
    private final List<Thread> threads = new ArrayList<>();
    private final SchedulerCore core;
    private volatile boolean isClosed;
    private volatile Status status;

    /// Follows a cluster from now on; places nothing yet.
    public Scheduler(Cluster cluster, Clock clock, SchedulerOptions options, EventSink events) {
        this.clock = clock;
        this.writeMode = options.writeMode();
        this.core = new SchedulerCore(cluster, clock, options, events, inbox::add);
        this.status = core.status();
        watches.start(
                cluster,
                options.gates(),
                core.view(),
                new ClusterContextView(core.view(), core::onClusterEvent));
    }

    /// Places pods on threads of its own until it is closed.
    public synchronized void start() {
        if (threads.isEmpty()) {
            threads.add(Thread.ofPlatform().name("scheduler").daemon().start(this::run));
            threads.add(Thread.ofVirtual().name("scheduler-telling").start(core.reporter()::run));
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

    /// Whatever breaks must not end the only thread that schedules.
    private boolean stepSafely() {
        try {
            return step(clock.instant());
        } catch (RuntimeException | Error e) {
            LOG.error("a step of the scheduler failed", e);
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

    /// Takes in what has happened, and decides about one pod. False when there was nothing to do.
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

    /// A message that breaks something must not end all scheduling.
    private static void read(Runnable message) {
        try {
            message.run();
        } catch (RuntimeException | Error e) {
            LOG.error("the scheduler could not take in what happened", e);
        }
    }

    /// When there is something to do although nothing has happened.
    public Optional<Instant> nextTime() {
        return core.nextTime();
    }

    /// How long decisions took so far.
    public DurationHistogram decisionTimes() {
        return core.decisionTimes();
    }

    /// How it stood after the last step.
    public Status status() {
        return status;
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        watches.close();
        threads.forEach(Thread::interrupt);
    }
}
