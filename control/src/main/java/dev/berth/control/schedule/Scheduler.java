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
    private static final Duration LONGEST_NAP = Duration.ofSeconds(1);

    private static final Duration SHORTEST_NAP = Duration.ofMillis(1);

    /// How many messages are read before the next pod gets its turn.
    private static final int MAX_MESSAGES = 1_000;

    /// How it stands.
    ///
    /// @param binding pods on their way
    /// @param bound how many have arrived
    /// @param decisions how often a pod was tried
    public record Standing(SchedulingQueue.Depths queue, int binding, long bound, long decisions) {}

    private final Clock clock;
    private final SchedulerOptions.Pace pace;
    private final MessageQueue inbox = new MessageQueue();
    private final SchedulerWatches following = new SchedulerWatches(inbox);
    private final List<Thread> threads = new ArrayList<>();
    private final SchedulerCore cycle;
    private volatile boolean isClosed;
    private volatile Standing standing;

    /// Follows a cluster from now on; places nothing yet.
    public Scheduler(Cluster cluster, Clock clock, SchedulerOptions options, EventSink events) {
        this.clock = clock;
        this.pace = options.pace();
        this.cycle = new SchedulerCore(cluster, clock, options, events, inbox::add);
        this.standing = cycle.standing();
        following.start(
                cluster,
                options.gates(),
                cycle.view(),
                new ClusterContextView(cycle.view(), cycle::happened));
    }

    /// Places pods on threads of its own until it is closed.
    public synchronized void start() {
        if (threads.isEmpty()) {
            threads.add(Thread.ofPlatform().name("scheduler").daemon().start(this::run));
            threads.add(Thread.ofVirtual().name("scheduler-telling").start(cycle.teller()::run));
        }
    }

    private void run() {
        try {
            while (!isClosed) {
                if (!stepSafely()) {
                    rest();
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

    private void rest() throws InterruptedException {
        var nap =
                cycle.nextTime()
                        .map(time -> Duration.between(clock.instant(), time))
                        .filter(time -> time.compareTo(LONGEST_NAP) < 0)
                        .orElse(LONGEST_NAP);
        inbox.await(nap.compareTo(SHORTEST_NAP) < 0 ? SHORTEST_NAP : nap);
    }

    /// Takes in what has happened, and decides about one pod. False when there was nothing to do.
    public boolean step(Instant now) {
        cycle.at(now);
        var read = 0;
        for (var next = inbox.poll(); next.isPresent(); next = inbox.poll()) {
            read(next.get());
            if (++read == MAX_MESSAGES) {
                break;
            }
        }
        var hasDecided = following.isComplete() && decide();
        if (pace == SchedulerOptions.Pace.STEPWISE) {
            cycle.teller().tellAll();
        }
        standing = cycle.standing();
        return hasDecided || read > 0;
    }

    private boolean decide() {
        cycle.lookAfter();
        return cycle.decideNext();
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
        return cycle.nextTime();
    }

    /// How long decisions took so far.
    public DurationHistogram decisionTimes() {
        return cycle.decisionTimes();
    }

    /// How it stood after the last step.
    public Standing standing() {
        return standing;
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        following.close();
        threads.forEach(Thread::interrupt);
    }
}
