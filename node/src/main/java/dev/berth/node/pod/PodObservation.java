package dev.berth.node.pod;

import dev.berth.model.json.JsonObject;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.SandboxState;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What is seen of a pod on its node at one moment.
///
/// @param fitness what probes say, by the runtime's id
/// @param stopping containers that are being ended, by the runtime's id, and by when
/// @param farewells what containers left as their last message, by the runtime's id
/// @param deviceHealth `allocatedResourcesStatus` of containers, by name
/// @param holdsClaims whether claims are prepared for it, or may be
/// @param isGone whether the cluster does not have it any more
public record PodObservation(
        NodeFacts node,
        List<SandboxState> sandboxes,
        List<ContainerState> containers,
        Map<String, ProbeResults> fitness,
        Map<String, Instant> stopping,
        Map<String, String> farewells,
        Map<String, List<JsonObject>> deviceHealth,
        boolean holdsClaims,
        boolean isGone) {

    /// What pods tell of their node.
    ///
    /// @param runtime the name of what runs containers
    public record NodeFacts(List<String> addresses, String runtime) {
        public NodeFacts {
            addresses = List.copyOf(addresses);
        }
    }

    public PodObservation {
        sandboxes = List.copyOf(sandboxes);
        containers = List.copyOf(containers);
        fitness = Map.copyOf(fitness);
        stopping = Map.copyOf(stopping);
        farewells = Map.copyOf(farewells);
        deviceHealth = Map.copyOf(deviceHealth);
    }

    /// The sandbox in which containers can run.
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
