package dev.berth.node.pod;

import dev.berth.model.json.JsonObject;
import dev.berth.node.pod.Probe.Purpose;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/// A container of a pod spec, in the form the node needs to run it.
///
/// @param tree the container as JSON
public record ContainerDefinition(
        String name,
        String image,
        Role role,
        RestartPolicy restartPolicy,
        Map<Purpose, Probe> probes,
        JsonObject tree) {

    /// Role of a container in its pod.
    public enum Role {
        /// Init container: has to succeed before the next one starts.
        INIT,
        /// Restartable init container: has to have started before the next one starts; terminates
        /// after the main containers.
        SIDECAR,
        MAIN
    }

    public ContainerDefinition {
        probes = Map.copyOf(probes);
    }

    static ContainerDefinition of(JsonObject tree, boolean isInit, RestartPolicy ofPod) {
        var isSidecar = isInit && tree.text("restartPolicy").equals("Always");
        var role = isSidecar ? Role.SIDECAR : isInit ? Role.INIT : Role.MAIN;
        var probes = new EnumMap<Purpose, Probe>(Purpose.class);
        if (role != Role.INIT) {
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

    /// Init containers that fail are restarted unless the pod's policy is Never; their success is
    /// final.
    private static RestartPolicy policy(JsonObject tree, Role role, RestartPolicy ofPod) {
        if (role == Role.SIDECAR) {
            return RestartPolicy.ALWAYS;
        }
        var own = tree.string("restartPolicy").map(RestartPolicy::of).orElse(ofPod);
        return role == Role.INIT && own == RestartPolicy.ALWAYS ? RestartPolicy.ON_FAILURE : own;
    }

    public Optional<Probe> probe(Purpose purpose) {
        return Optional.ofNullable(probes.get(purpose));
    }

    /// The postStart hook.
    public Optional<LifecycleHandler> postStart() {
        return LifecycleHandler.of(tree.objectOrEmpty("lifecycle").objectOrEmpty("postStart"));
    }

    /// The preStop hook.
    public Optional<LifecycleHandler> preStop() {
        return LifecycleHandler.of(tree.objectOrEmpty("lifecycle").objectOrEmpty("preStop"));
    }
}
