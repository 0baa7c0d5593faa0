package dev.berth.model.api.claim;

import dev.berth.model.api.taint.DeviceToleration;
import java.util.List;
import java.util.Optional;

/// Class, selectors and count of a request: the common part of exact requests and alternatives.
public record DeviceDemand(
        String deviceClassName,
        List<DeviceSelector> selectors,
        AllocationCount count,
        List<DeviceToleration> tolerations,
        Optional<CapacityRequirements> capacity,
        List<DerivedAttribute> derivedAttributes) {

    public DeviceDemand {
        selectors = List.copyOf(selectors);
        tolerations = List.copyOf(tolerations);
        derivedAttributes = List.copyOf(derivedAttributes);
    }

    /// A demand for devices of a class without further requirements.
    public static DeviceDemand of(String deviceClassName, AllocationCount count) {
        return new DeviceDemand(
                deviceClassName, List.of(), count, List.of(), Optional.empty(), List.of());
    }
}
