package dev.berth.control.schedule;

import dev.berth.client.Cluster;
import dev.berth.control.loop.Events;
import dev.berth.control.loop.LoopRunner;
import dev.berth.model.api.Pod;
import java.time.Clock;

/// Tells by events of the cluster, with threads of its own until it is closed.
public final class ClusterEvents implements EventSink, AutoCloseable {

    private static final int WORKERS = 2;

    private final String component;
    private final Events events;
    private final LoopRunner runner;

    /// @param component who tells
    public ClusterEvents(Cluster cluster, String component, Clock clock) {
        this.component = component;
        this.events = new Events(cluster);
        this.runner = LoopRunner.start(component + "-events", events, WORKERS, clock);
    }

    @Override
    public void tell(Pod about, Note note) {
        events.tell(
                component,
                Events.Subject.pod(about),
                note.isWarning() ? Events.Sort.WARNING : Events.Sort.NORMAL,
                note.reason(),
                note.text());
    }

    @Override
    public void close() {
        runner.close();
    }
}
