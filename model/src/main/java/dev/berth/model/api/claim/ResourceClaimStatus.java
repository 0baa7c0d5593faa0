package dev.berth.model.api.claim;

import java.util.List;
import java.util.Optional;

/// Allocation, reservations and device status of a claim.
public record ResourceClaimStatus(
        Optional<AllocationResult> allocation,
        List<ConsumerReference> reservedFor,
        List<AllocatedDeviceStatus> devices) {

    public static final ResourceClaimStatus EMPTY =
            new ResourceClaimStatus(Optional.empty(), List.of(), List.of());

    public ResourceClaimStatus {
        reservedFor = List.copyOf(reservedFor);
        devices = List.copyOf(devices);
    }
}
