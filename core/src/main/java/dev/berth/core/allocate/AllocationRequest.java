package dev.berth.core.allocate;

import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.Node;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceSlice;
import java.util.List;
import java.util.Set;

/// A self-contained request to allocate devices on one node to the claims of one pod.
///
/// The slices carry all device taints, including those of DeviceTaintRules.
public record AllocationRequest(
        Set<AllocatorFeature> features,
        Node node,
        List<DeviceClass> classes,
        List<ResourceSlice> slices,
        Holdings holdings,
        List<ResourceClaim> claims) {

    public AllocationRequest {
        features = Set.copyOf(features);
        classes = List.copyOf(classes);
        slices = List.copyOf(slices);
        claims = List.copyOf(claims);
    }
}
