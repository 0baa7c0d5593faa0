package dev.berth.control.schedule;

import dev.berth.client.Cluster;
import dev.berth.client.event.EventRecorder;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.event.EventSource;
import dev.berth.model.event.EventType;
import dev.berth.model.event.InvolvedObject;
import dev.berth.model.workqueue.ControlLoopRunner;
import java.time.Clock;

/// Records scheduler events in the cluster on its own threads until it is closed. They are events
/// of `events.k8s.io/v1`, and their reporting controller is the scheduler that the pod names.
public final class AsyncEventRecorder implements EventSink, AutoCloseable {

    private static final int WORKERS = 2;

    private final String component;
    private final EventRecorder events;
    private final ControlLoopRunner runner;

    /// @param component the program, which is a part of the reporting instance
    public AsyncEventRecorder(Cluster cluster, String component, Clock clock) {
        this.component = component;
        this.events = new EventRecorder(cluster);
        this.runner = ControlLoopRunner.start(component + "-events", events, WORKERS, clock);
    }

    @Override
    public void record(Pod pod, Event event) {
        var named = pod.spec().schedulerName();
        var scheduler = named.isEmpty() ? component : named;
        events.record(
                new dev.berth.model.event.Event(
                        EventSource.scheduler(scheduler, scheduler + "-" + component),
                        InvolvedObject.of(pod),
                        event.isWarning() ? EventType.WARNING : EventType.NORMAL,
                        event.reason(),
                        event.action(),
                        event.text()));
    }

    @Override
    public void close() {
        runner.close();
    }
}
