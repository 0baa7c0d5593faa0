package dev.berth.model.api;

import java.util.List;
import java.util.Optional;

/// Which devices and how many: what exact requests and alternatives have in common.
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

    /// So many devices of a class, and nothing else.
    public static DeviceDemand of(String deviceClassName, AllocationCount count) {
        return new DeviceDemand(
                deviceClassName, List.of(), count, List.of(), Optional.empty(), List.of());
    }
}
