package dev.berth.node.agent;

import dev.berth.model.api.pod.Container;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import java.util.ArrayList;
import java.util.List;

/// Selects the CDI devices of a container.
final class ContainerDevices {

    private ContainerDevices() {}

    /// The CDI device IDs for the claims or single requests that the container references, and for
    /// its extended resources.
    ///
    /// @param claimStates with all claims of the pod
    static List<String> ids(NodeClaimStates claimStates, Pod pod, Container container) {
        var ids = new ArrayList<String>();
        for (var use : container.resources().claims()) {
            PodClaimReferences.find(pod, use.name())
                    .flatMap(claimStates::find)
                    .ifPresent(claim -> add(ids, claim, use.request()));
        }
        var extended = PodClaimReferences.ofExtendedResources(pod).flatMap(claimStates::find);
        for (var mapping : PodClaimReferences.extendedResourceMappings(pod)) {
            if (mapping.containerName().equals(container.name())) {
                extended.ifPresent(claim -> add(ids, claim, mapping.requestName()));
            }
        }
        return ids;
    }

    private static void add(List<String> ids, NodeClaimState claim, String request) {
        for (var part : claim.drivers().values()) {
            for (var device : part.devices()) {
                if (device.isFor(request)) {
                    ids.addAll(device.cdiIds());
                }
            }
        }
    }
}
