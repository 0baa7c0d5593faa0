package dev.berth.node.pod;

import dev.berth.model.json.JsonObject;
import dev.berth.node.pod.Probe.Purpose;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/// A container of a pod as its node has to run it.
///
/// @param tree all of it as it was written
public record ContainerDefinition(
        String name,
        String image,
        Role role,
        RestartPolicy restartPolicy,
        Map<Purpose, Probe> probes,
        JsonObject tree) {

    /// What a container is to its pod.
    public enum Role {
        /// Has to succeed before the next one starts.
        INITIAL,
        /// Has to have started before the next one starts; ends after the main ones.
        SIDECAR,
        MAIN
    }

    public ContainerDefinition {
        probes = Map.copyOf(probes);
    }

    static ContainerDefinition of(JsonObject tree, boolean isInitial, RestartPolicy ofPod) {
        var isSidecar = isInitial && tree.text("restartPolicy").equals("Always");
        var role = isSidecar ? Role.SIDECAR : isInitial ? Role.INITIAL : Role.MAIN;
        var probes = new EnumMap<Purpose, Probe>(Purpose.class);
        if (role != Role.INITIAL) {
            for (var purpose : Purpose.values()) {
                Probe.of(tree, purpose).ifPresent(probe -> probes.put(purpose, probe));
            }
        }
        return new ContainerDefinition(
                tree.text("name"),
                tree.text("image"),
                role,
                policy(tree, role, ofPod),
                probes,
                tree);
    }

    /// Init containers that fail are tried again unless the pod says never; their success is final.
    private static RestartPolicy policy(JsonObject tree, Role role, RestartPolicy ofPod) {
        if (role == Role.SIDECAR) {
            return RestartPolicy.ALWAYS;
        }
        var own = tree.string("restartPolicy").map(RestartPolicy::of).orElse(ofPod);
        return role == Role.INITIAL && own == RestartPolicy.ALWAYS ? RestartPolicy.ON_FAILURE : own;
    }

    public Optional<Probe> probe(Purpose purpose) {
        return Optional.ofNullable(probes.get(purpose));
    }

    /// What to do right after the start.
    public Optional<LifecycleHandler> postStart() {
        return LifecycleHandler.of(tree.objectOrEmpty("lifecycle").objectOrEmpty("postStart"));
    }

    /// What to do before it is asked to end.
    public Optional<LifecycleHandler> preStop() {
        return LifecycleHandler.of(tree.objectOrEmpty("lifecycle").objectOrEmpty("preStop"));
    }
}
