package dev.berth.model.api.claim;

import java.util.List;
import java.util.Optional;

/// Selectors, configuration and extended resource name of a device class.
public record DeviceClassSpec(
        List<DeviceSelector> selectors,
        List<DeviceConfiguration> config,
        Optional<String> extendedResourceName) {

    public DeviceClassSpec {
        selectors = List.copyOf(selectors);
        config = List.copyOf(config);
    }
}
