package dev.berth.node.pod;

import dev.berth.model.json.JsonObject;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.SandboxState;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Observed state of a pod on its node at one moment.
///
/// @param probeResults by the runtime's container ID
/// @param stopping deadlines of containers that are being stopped, by container ID
/// @param terminationMessages by container ID
/// @param deviceHealth `allocatedResourcesStatus` by container name
/// @param holdsClaims true if claims are or may be prepared for it
/// @param isGone true if the pod no longer exists in the cluster
public record PodObservation(
        NodeFacts node,
        List<SandboxState> sandboxes,
        List<ContainerState> containers,
        Map<String, ProbeResults> probeResults,
        Map<String, Instant> stopping,
        Map<String, String> terminationMessages,
        Map<String, List<JsonObject>> deviceHealth,
        boolean holdsClaims,
        boolean isGone) {

    /// Facts of the node that pod statuses contain.
    ///
    /// @param runtime name of the container runtime
    public record NodeFacts(List<String> addresses, String runtime) {
        public NodeFacts {
            addresses = List.copyOf(addresses);
        }
    }

    public PodObservation {
        sandboxes = List.copyOf(sandboxes);
        containers = List.copyOf(containers);
        probeResults = Map.copyOf(probeResults);
        stopping = Map.copyOf(stopping);
        terminationMessages = Map.copyOf(terminationMessages);
        deviceHealth = Map.copyOf(deviceHealth);
    }

    /// The ready sandbox, in which containers can run.
    Optional<SandboxState> sandbox() {
        return sandboxes.stream()
                .filter(SandboxState::isReady)
                .max(Comparator.comparingInt(SandboxState::attempt));
    }

    /// The containers of a name, newest first.
    List<ContainerState> containers(String name) {
        return containers.stream()
                .filter(one -> one.name().equals(name))
                .sorted(
                        Comparator.comparingInt(ContainerState::attempt)
                                .thenComparing(ContainerState::createdAt)
                                .reversed())
                .toList();
    }

    String qualified(String id) {
        return node.runtime + "://" + id;
    }
}
