package dev.berth.node.agent;

import dev.berth.client.Cluster;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import dev.berth.node.pod.PodDefinition;
import dev.berth.node.pod.PodObservation.NodeFacts;
import dev.berth.node.pod.SecurityDefaults;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.volume.VolumeMounter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Services that all pod workers share.
///
/// @param logs directory of the pods' log directories
/// @param allocatable resources of the node for pods
/// @param deviceHealth `allocatedResourcesStatus` by container name, for a pod
record PodServices(
        Cluster cluster,
        ContainerRuntime runtime,
        RuntimeStatusCache statusCache,
        ClaimPreparer claims,
        VolumeMounter volumes,
        PodEventRecorder events,
        NodeFacts facts,
        Path logs,
        SecurityDefaults security,
        Map<String, Quantity> allocatable,
        Function<Pod, Map<String, List<JsonObject>>> deviceHealth,
        Clock clock) {

    PodServices {
        allocatable = Map.copyOf(allocatable);
    }

    /// The log directory of a pod.
    Path logs(PodDefinition pod) {
        return logs.resolve(
                "%s_%s_%s".formatted(pod.ref().namespace(), pod.ref().name(), pod.uid()));
    }
}
