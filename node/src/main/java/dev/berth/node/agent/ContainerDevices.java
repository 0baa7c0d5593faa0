package dev.berth.node.agent;

import dev.berth.model.api.Container;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.api.PodClaimSource;
import dev.berth.model.api.PodResourceClaimStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
            claimName(pod, use.name())
                    .flatMap(name ->
                            claimStates.find(new ObjectRef(pod.metadata().namespace(), name)))
                    .ifPresent(claim -> add(ids, claim, use.request()));
        }
        pod.status()
                .extendedResourceClaimStatus()
                .ifPresent(status -> {
                    var ref = new ObjectRef(pod.metadata().namespace(), status.resourceClaimName());
                    for (var mapping : status.requestMappings()) {
                        if (mapping.containerName().equals(container.name())) {
                            claimStates
                                    .find(ref)
                                    .ifPresent(claim -> add(ids, claim, mapping.requestName()));
                        }
                    }
                });
        return ids;
    }

    static Optional<String> claimName(Pod pod, String name) {
        return pod.spec().resourceClaims().stream()
                .filter(claim -> claim.name().equals(name))
                .findFirst()
                .flatMap(claim ->
                        claim.source() instanceof PodClaimSource.ClaimName(var direct)
                                ? Optional.of(direct)
                                : pod.status().resourceClaimStatuses().stream()
                                        .filter(status -> status.name().equals(name))
                                        .findFirst()
                                        .flatMap(PodResourceClaimStatus::resourceClaimName));
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
