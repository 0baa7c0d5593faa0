package dev.berth.model.api;

import java.util.List;

/// Parameters as they were when devices were allocated, and where they came from.
public record DeviceAllocationConfiguration(
        ConfigSource source, List<String> requests, DeviceConfiguration configuration) {

    public DeviceAllocationConfiguration {
        requests = List.copyOf(requests);
    }
}
