package dev.berth.client.event;

import dev.berth.client.Cluster;
import dev.berth.client.RequestResult;
import dev.berth.model.event.CorrelatedEvent;
import dev.berth.model.event.Event;
import dev.berth.model.event.EventCorrelator;
import dev.berth.model.event.EventCorrelator.Correlation;
import dev.berth.model.event.InvolvedObject;
import dev.berth.model.workqueue.ControlLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Records Kubernetes events of any component.
///
/// Recording does not block: events are queued and written by the steps of this control loop. When
/// the queue is full, or the API server does not answer, events are lost and counted. Events of one
/// object are written in order, also by several threads. The rules of counting and combining are
/// those of [EventCorrelator].
public final class EventRecorder implements ControlLoop {

    private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);

    static final int MAX_QUEUED = 10_000;
    static final int MAX_TRIES = 12;
    static final Duration RETRY_DELAY = Duration.ofSeconds(10);

    /// Counters of a recorder.
    ///
    /// @param written requests that created or patched an event object
    /// @param filtered occurrences that the spam filter dropped
    /// @param lost occurrences dropped because the queue was full, the API server refused them, or
    ///   it did not answer
    public record Statistics(long written, long filtered, long lost) {}

    /// An event that waits for its write.
    private sealed interface Queued {

        InvolvedObject object();

        record New(Event event) implements Queued {
            @Override
            public InvolvedObject object() {
                return event.object();
            }
        }

        /// A write that failed and is due again at a time.
        record Retry(CorrelatedEvent event, int tries, Instant at) implements Queued {
            @Override
            public InvolvedObject object() {
                return event.event().object();
            }
        }
    }

    private final Cluster cluster;
    private final List<Runnable> wakeups = new CopyOnWriteArrayList<>();

    // The lock of this guards the fields below.
    private final EventCorrelator correlator = new EventCorrelator();
    private final Deque<Queued> queue = new ArrayDeque<>();

    /// UIDs of objects whose event is being written.
    private final Set<String> writing = new HashSet<>();

    private long written;
    private long filtered;
    private long lost;

    public EventRecorder(Cluster cluster) {
        this.cluster = cluster;
    }

    /// Queues an event.
    public void record(Event event) {
        synchronized (this) {
            if (queue.size() >= MAX_QUEUED) {
                countLost(event, "the queue is full");
                return;
            }
            queue.addLast(new Queued.New(event));
        }
        wake();
    }

    @Override
    public boolean step(Instant now) {
        var next = take(now);
        if (next.isEmpty()) {
            return false;
        }
        try {
            write(next.get(), now);
        } finally {
            synchronized (this) {
                writing.remove(next.get().object().uid());
            }
            // Events of the object may have become due.
            wake();
        }
        return true;
    }

    /// Removes the first event that is due and whose object has no earlier one, and reserves its
    /// object.
    private synchronized Optional<Queued> take(Instant now) {
        for (var series : correlator.due(now)) {
            queue.addLast(new Queued.Retry(series, 0, now));
        }
        var blocked = new HashSet<>(writing);
        for (Iterator<Queued> all = queue.iterator(); all.hasNext(); ) {
            var next = all.next();
            if (blocked.contains(next.object().uid())) {
                continue;
            }
            if (next instanceof Queued.Retry retry && retry.at.isAfter(now)) {
                blocked.add(next.object().uid());
                continue;
            }
            all.remove();
            writing.add(next.object().uid());
            return Optional.of(next);
        }
        return Optional.empty();
    }

    private void write(Queued queued, Instant now) {
        switch (queued) {
            case Queued.New(var event) -> {
                var correlation = correlate(event, now);
                if (correlation instanceof Correlation.Write(var correlated)) {
                    write(correlated, 1, now);
                }
            }
            case Queued.Retry(var correlated, var tries, _) -> write(correlated, tries + 1, now);
        }
    }

    private synchronized Correlation correlate(Event event, Instant now) {
        var correlation = correlator.correlate(event, now);
        if (correlation instanceof Correlation.Filtered) {
            filtered++;
        }
        return correlation;
    }

    private void write(CorrelatedEvent event, int tries, Instant now) {
        var result = send(event);
        synchronized (this) {
            switch (result) {
                // The event exists when the response to its creation was lost.
                case RequestResult.Done _, RequestResult.Exists _ -> written++;
                case RequestResult.Unavailable(var message) -> {
                    if (tries >= MAX_TRIES) {
                        countLost(event.event(), message);
                    } else {
                        queue.addFirst(new Queued.Retry(event, tries, now.plus(RETRY_DELAY)));
                    }
                }
                case RequestResult.Conflict _, RequestResult.Missing _, RequestResult.Refused _ ->
                        countLost(event.event(), result.message());
            }
        }
    }

    /// Patches the event, or creates it if it is new or was deleted meanwhile.
    private RequestResult send(CorrelatedEvent event) {
        if (event.count() > 1) {
            var patched = cluster.send(EventObjects.patch(event));
            if (!(patched instanceof RequestResult.Missing)) {
                return patched;
            }
        }
        return cluster.send(EventObjects.create(event));
    }

    private void countLost(Event event, String why) {
        lost++;
        // The first one, and then ever fewer.
        if (Long.bitCount(lost) == 1) {
            LOG.warn(
                    "event {} of {} {}/{} is lost: {} ({} lost so far)",
                    event.reason(),
                    event.object().kind(),
                    event.object().namespace(),
                    event.object().name(),
                    why,
                    lost);
        }
    }

    public synchronized Statistics statistics() {
        return new Statistics(written, filtered, lost);
    }

    /// When the next event is due; an event of an object that is being written is due after that.
    @Override
    public synchronized Optional<Instant> nextDue() {
        var earliest = correlator.nextDue();
        var blocked = new HashSet<>(writing);
        for (var queued : queue) {
            if (!blocked.add(queued.object().uid())) {
                continue;
            }
            if (!(queued instanceof Queued.Retry retry)) {
                return Optional.of(Instant.MIN);
            }
            if (earliest.filter(one -> !one.isAfter(retry.at)).isEmpty()) {
                earliest = Optional.of(retry.at);
            }
        }
        return earliest;
    }

    private void wake() {
        wakeups.forEach(Runnable::run);
    }

    @Override
    public void onWake(Runnable wake) {
        wakeups.add(wake);
    }
}
