package dev.berth.model.api.claim;

import dev.berth.model.api.selector.NodeSelector;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The allocation of a claim: its devices, their configuration, and the nodes that can use them;
/// all nodes without a selector.
public record AllocationResult(
        List<AllocatedDevice> devices,
        List<DeviceAllocationConfiguration> config,
        Optional<NodeSelector> nodeSelector,
        Optional<Instant> allocationTimestamp) {

    public AllocationResult {
        devices = List.copyOf(devices);
        config = List.copyOf(config);
    }
}
