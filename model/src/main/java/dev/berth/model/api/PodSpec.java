package dev.berth.model.api;

import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// What a pod asks for. Parts that only some rules of placement read are kept as they were written.
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

    /// The same with other rules on nodes and neighbours, and other tolerations.
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
