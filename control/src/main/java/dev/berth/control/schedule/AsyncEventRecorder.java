package dev.berth.control.schedule;

import dev.berth.client.Cluster;
import dev.berth.control.loop.EventRecorder;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.workqueue.ControlLoopRunner;
import java.time.Clock;

/// Records scheduler events in the cluster on its own threads until it is closed.
public final class AsyncEventRecorder implements EventSink, AutoCloseable {

    private static final int WORKERS = 2;

    private final String component;
    private final EventRecorder events;
    private final ControlLoopRunner runner;

    /// @param component the reporting component
    public AsyncEventRecorder(Cluster cluster, String component, Clock clock) {
        this.component = component;
        this.events = new EventRecorder(cluster);
        this.runner = ControlLoopRunner.start(component + "-events", events, WORKERS, clock);
    }

    @Override
    public void record(Pod pod, Event event) {
        events.record(
                component,
                EventRecorder.InvolvedObject.pod(pod),
                event.isWarning() ? EventRecorder.Type.WARNING : EventRecorder.Type.NORMAL,
                event.reason(),
                event.text());
    }

    @Override
    public void close() {
        runner.close();
    }
}
