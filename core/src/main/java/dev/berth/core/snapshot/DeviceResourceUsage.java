package dev.berth.core.snapshot;

import dev.berth.model.api.pod.NodeAllocatableClaimStatus;
import dev.berth.model.quantity.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Sums of node-allocatable resources (CPU, memory, hugepages) that a pod consumes through its
/// devices.
public final class DeviceResourceUsage {

    private DeviceResourceUsage() {}

    /// The sum over all claims: mapped resources and per-pod overhead once, per-container overhead
    /// for each container that uses the claim.
    public static Map<String, Quantity> sum(List<NodeAllocatableClaimStatus> statuses) {
        var sums = new HashMap<String, Quantity>();
        for (var status : statuses) {
            add(status, status.containers().size(), sums);
        }
        return sums;
    }

    /// Adds the resources of one claim that so many containers use.
    public static void add(
            NodeAllocatableClaimStatus status, int containers, Map<String, Quantity> sums) {
        for (var mapped : status.mapping()) {
            sums.merge(mapped.name(), mapped.quantity(), Quantity::plus);
        }
        for (var more : status.overhead()) {
            more.perPod().ifPresent(one -> sums.merge(more.name(), one, Quantity::plus));
            more.perContainer()
                    .ifPresent(
                            one -> sums.merge(more.name(), one.times(containers), Quantity::plus));
        }
    }
}
