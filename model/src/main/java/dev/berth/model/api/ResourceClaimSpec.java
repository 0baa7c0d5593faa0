package dev.berth.model.api;

import java.util.List;

/// The devices that a claim asks for (`spec.devices` in the API). No requests means no devices.
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
