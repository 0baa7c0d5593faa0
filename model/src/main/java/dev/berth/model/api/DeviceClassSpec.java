package dev.berth.model.api;

import java.util.List;
import java.util.Optional;

/// Which devices are of a class, their parameters, and the extended resource that stands for one.
public record DeviceClassSpec(
        List<DeviceSelector> selectors,
        List<DeviceConfiguration> config,
        Optional<String> extendedResourceName) {

    public DeviceClassSpec {
        selectors = List.copyOf(selectors);
        config = List.copyOf(config);
    }
}
