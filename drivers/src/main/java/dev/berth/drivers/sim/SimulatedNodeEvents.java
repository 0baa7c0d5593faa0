package dev.berth.drivers.sim;

import dev.berth.client.event.EventRecorder;
import dev.berth.model.event.Event;
import dev.berth.model.event.EventSource;
import dev.berth.model.event.InvolvedObject;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/// Events of simulated nodes: those of a kubelet on its pods, and warnings of the simulator.
final class SimulatedNodeEvents {

    private static final EventSource SIMULATOR = EventSource.controller("berth-sim");

    /// Events that one task writes before other tasks of its thread run.
    private static final int MAX_WRITES = 100;

    private final EventRecorder events;

    SimulatedNodeEvents(EventRecorder events) {
        this.events = events;
    }

    /// Writes recorded events; returns when more are due.
    Optional<Instant> write(Instant now) {
        for (var written = 0; written < MAX_WRITES; written++) {
            if (!events.step(now)) {
                return events.nextDue();
            }
        }
        return Optional.of(now);
    }

    /// All containers of a pod were started.
    void started(String node, JsonObject pod) {
        var object = object(pod);
        var spec = pod.objectOrEmpty("spec");
        spec.objects("initContainers").forEach(one -> started(node, one, object::initContainer));
        spec.objects("containers").forEach(one -> started(node, one, object::container));
    }

    private void started(
            String node, JsonObject container, Function<String, InvolvedObject> object) {
        var source = EventSource.kubelet(node);
        var involved = object.apply(container.text("name"));
        var pulled =
                "Container image \"%s\" already present on machine and can be accessed by the pod"
                        .formatted(container.text("image"));
        events.record(Event.normal(source, involved, "Pulled", pulled));
        events.record(Event.normal(source, involved, "Created", "Container created"));
        events.record(Event.normal(source, involved, "Started", "Container started"));
    }

    /// The containers of a pod are stopped, if it runs.
    void stopping(String node, JsonObject pod) {
        if (!pod.objectOrEmpty("status").text("phase").equals("Running")) {
            return;
        }
        for (var container : pod.objectOrEmpty("spec").objects("containers")) {
            var name = container.text("name");
            events.record(
                    Event.normal(
                            EventSource.kubelet(node),
                            object(pod).container(name),
                            "Killing",
                            "Stopping container " + name));
        }
    }

    void prepareFailed(String node, JsonObject pod, String error) {
        events.record(
                Event.warning(
                        EventSource.kubelet(node),
                        object(pod),
                        "FailedPrepareDynamicResources",
                        "Failed to prepare dynamic resources: prepare dynamic resources: "
                                + error));
    }

    private static InvolvedObject object(JsonObject pod) {
        return InvolvedObject.of("v1", "Pod", pod);
    }

    /// A warning of the simulator itself.
    ///
    /// @param kind of the object, which must be of the API version `v1`
    void warn(String kind, JsonObject object, String reason, String message) {
        events.record(
                Event.warning(SIMULATOR, InvolvedObject.of("v1", kind, object), reason, message));
    }
}
