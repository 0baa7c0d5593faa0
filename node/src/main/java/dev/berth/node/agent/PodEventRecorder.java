package dev.berth.node.agent;

import dev.berth.client.Cluster;
import dev.berth.client.event.EventRecorder;
import dev.berth.model.event.Event;
import dev.berth.model.event.EventSource;
import dev.berth.model.event.EventType;
import dev.berth.model.event.InvolvedObject;
import dev.berth.model.json.JsonObject;
import dev.berth.model.workqueue.ControlLoopRunner;
import java.time.Clock;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Records events of the pods of a node as its kubelet does, and logs warnings. Recording never
/// blocks.
final class PodEventRecorder implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PodEventRecorder.class);

    /// Reasons of events whose message contains the output of a probe or hook.
    private static final Set<String> WITH_CONTAINER_OUTPUT =
            Set.of("Unhealthy", "FailedPostStartHook", "FailedPreStopHook");

    private final EventSource source;
    private final EventRecorder events;
    private final ControlLoopRunner runner;

    PodEventRecorder(Cluster cluster, String node, Clock clock) {
        this.source = EventSource.kubelet(node);
        this.events = new EventRecorder(cluster);
        this.runner = ControlLoopRunner.start("events", events, 1, clock);
    }

    /// Records an event of a pod.
    void record(JsonObject pod, boolean isWarning, String reason, String message) {
        record(object(pod), isWarning, reason, message);
    }

    /// Records an event of a container or init container of a pod.
    void record(
            JsonObject pod, String container, boolean isWarning, String reason, String message) {
        var isInit =
                pod.objectOrEmpty("spec").objects("initContainers").stream()
                        .anyMatch(one -> one.text("name").equals(container));
        record(
                isInit ? object(pod).initContainer(container) : object(pod).container(container),
                isWarning,
                reason,
                message);
    }

    private static InvolvedObject object(JsonObject pod) {
        return InvolvedObject.of("v1", "Pod", pod);
    }

    private void record(InvolvedObject object, boolean isWarning, String reason, String message) {
        var type = isWarning ? EventType.WARNING : EventType.NORMAL;
        var event = new Event(source, object, type, reason, "", message);
        if (isWarning) {
            LOG.info("{} {}", object.name(), logText(reason, event.message()));
        }
        events.record(event);
    }

    /// An event as it is logged. Output of containers may contain secrets and is in the Event only.
    static String logText(String reason, String message) {
        return WITH_CONTAINER_OUTPUT.contains(reason) ? reason : reason + ": " + message;
    }

    @Override
    public void close() {
        runner.close();
    }
}
