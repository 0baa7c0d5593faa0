package dev.berth.model.api.claim;

import java.util.List;

/// Configuration for the devices of some requests of a claim; for all when none is named.
public record DeviceClaimConfiguration(List<String> requests, DeviceConfiguration configuration) {

    public DeviceClaimConfiguration {
        requests = List.copyOf(requests);
    }
}
