package dev.berth.model.api.claim;

import java.util.List;

/// Network interface of a device in a container (`networkData` in the API).
public record NetworkDeviceStatus(String interfaceName, List<String> ips, String hardwareAddress) {

    public NetworkDeviceStatus {
        ips = List.copyOf(ips);
    }
}
