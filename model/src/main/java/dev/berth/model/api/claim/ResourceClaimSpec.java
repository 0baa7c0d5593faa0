package dev.berth.model.api.claim;

import java.util.List;

/// Requests, constraints and configuration of a claim (`spec.devices` in the API). Without requests
/// no devices are allocated.
public record ResourceClaimSpec(
        List<DeviceRequest> requests,
        List<DeviceConstraint> constraints,
        List<DeviceClaimConfiguration> config) {

    public static final ResourceClaimSpec EMPTY =
            new ResourceClaimSpec(List.of(), List.of(), List.of());

    public ResourceClaimSpec {
        requests = List.copyOf(requests);
        constraints = List.copyOf(constraints);
        config = List.copyOf(config);
    }
}
