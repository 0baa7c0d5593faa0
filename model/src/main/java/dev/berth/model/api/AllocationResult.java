package dev.berth.model.api;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The devices that a claim has got, with their parameters, and the nodes that can use them: every
/// node when no selector is given.
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
