package dev.berth.model.api.pod;

import dev.berth.model.api.meta.OrderedMap;
import dev.berth.model.api.taint.Toleration;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

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
                newVolumes);
    }

    /// The same spec on another node; empty for none.
    public PodSpec withNodeName(String newNodeName) {
        return new PodSpec(
                newNodeName,
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

    /// The same spec with other tolerations.
    public PodSpec withTolerations(List<Toleration> newTolerations) {
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
                newTolerations,
                topologySpreadConstraints,
                schedulingGates,
                priority,
                preemptionPolicy,
                podGroupName,
                hostNetwork,
                volumes);
    }

    /// The same spec with other affinity and tolerations.
    public PodSpec with(Affinity newAffinity, List<Toleration> newTolerations) {
        return new PodSpec(
                nodeName,
                schedulerName,
                resourceClaims,
                initContainers,
                containers,
                resources,
                overhead,
                nodeSelector,
                Optional.of(newAffinity),
                newTolerations,
                topologySpreadConstraints,
                schedulingGates,
                priority,
                preemptionPolicy,
                podGroupName,
                hostNetwork,
                volumes);
    }
}
