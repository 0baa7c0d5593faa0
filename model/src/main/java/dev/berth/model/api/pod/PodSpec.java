package dev.berth.model.api.pod;

import dev.berth.model.api.meta.OrderedMap;
import dev.berth.model.api.taint.Toleration;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/// Spec of a pod. Volumes are kept as JSON, because only some placement rules read them.
public record PodSpec(
        String nodeName,
        String schedulerName,
        List<PodResourceClaim> resourceClaims,
        List<Container> initContainers,
        List<Container> containers,
        Optional<ResourceRequirements> resources,
        Map<String, Quantity> overhead,
        Map<String, String> nodeSelector,
        Optional<Affinity> affinity,
        List<Toleration> tolerations,
        List<TopologySpreadConstraint> topologySpreadConstraints,
        List<String> schedulingGates,
        OptionalLong priority,
        Optional<String> preemptionPolicy,
        Optional<String> podGroupName,
        boolean hostNetwork,
        List<JsonObject> volumes) {

    public PodSpec {
        resourceClaims = List.copyOf(resourceClaims);
        initContainers = List.copyOf(initContainers);
        containers = List.copyOf(containers);
        overhead = OrderedMap.copyOf(overhead);
        nodeSelector = OrderedMap.copyOf(nodeSelector);
        tolerations = List.copyOf(tolerations);
        topologySpreadConstraints = List.copyOf(topologySpreadConstraints);
        schedulingGates = List.copyOf(schedulingGates);
        volumes = List.copyOf(volumes);
    }

    public PodSpec withVolumes(List<JsonObject> newVolumes) {
        return with(copy -> copy.volumes = newVolumes);
    }

    /// The same spec on another node; empty for none.
    public PodSpec withNodeName(String newNodeName) {
        return with(copy -> copy.nodeName = newNodeName);
    }

    /// The same spec with other tolerations.
    public PodSpec withTolerations(List<Toleration> newTolerations) {
        return with(copy -> copy.tolerations = newTolerations);
    }

    /// The same spec with other affinity and tolerations.
    public PodSpec with(Affinity newAffinity, List<Toleration> newTolerations) {
        return with(copy -> {
            copy.affinity = Optional.of(newAffinity);
            copy.tolerations = newTolerations;
        });
    }

    private PodSpec with(Consumer<Copy> change) {
        var copy = new Copy(this);
        change.accept(copy);
        return copy.build();
    }

    /// The components by name, for copies with changes.
    private static final class Copy {
        private String nodeName;
        private String schedulerName;
        private List<PodResourceClaim> resourceClaims;
        private List<Container> initContainers;
        private List<Container> containers;
        private Optional<ResourceRequirements> resources;
        private Map<String, Quantity> overhead;
        private Map<String, String> nodeSelector;
        private Optional<Affinity> affinity;
        private List<Toleration> tolerations;
        private List<TopologySpreadConstraint> topologySpreadConstraints;
        private List<String> schedulingGates;
        private OptionalLong priority;
        private Optional<String> preemptionPolicy;
        private Optional<String> podGroupName;
        private boolean hostNetwork;
        private List<JsonObject> volumes;

        Copy(PodSpec from) {
            nodeName = from.nodeName;
            schedulerName = from.schedulerName;
            resourceClaims = from.resourceClaims;
            initContainers = from.initContainers;
            containers = from.containers;
            resources = from.resources;
            overhead = from.overhead;
            nodeSelector = from.nodeSelector;
            affinity = from.affinity;
            tolerations = from.tolerations;
            topologySpreadConstraints = from.topologySpreadConstraints;
            schedulingGates = from.schedulingGates;
            priority = from.priority;
            preemptionPolicy = from.preemptionPolicy;
            podGroupName = from.podGroupName;
            hostNetwork = from.hostNetwork;
            volumes = from.volumes;
        }

        PodSpec build() {
            return new PodSpec(
                    nodeName,
                    schedulerName,
                    resourceClaims,
                    initContainers,
                    containers,
                    resources,
                    overhead,
                    nodeSelector,
                    affinity,
                    tolerations,
                    topologySpreadConstraints,
                    schedulingGates,
                    priority,
                    preemptionPolicy,
                    podGroupName,
                    hostNetwork,
                    volumes);
        }
    }
}
