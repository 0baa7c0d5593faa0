package dev.berth.model.api.claim;

import java.util.List;

/// Configuration at the time of allocation, and its source.
public record DeviceAllocationConfiguration(
        ConfigSource source, List<String> requests, DeviceConfiguration configuration) {

    public DeviceAllocationConfiguration {
        requests = List.copyOf(requests);
    }
}
