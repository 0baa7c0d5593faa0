package dev.berth.model.api;

import java.util.List;

/// How a network device appears in a container (`networkData` in the API).
public record NetworkDeviceStatus(String interfaceName, List<String> ips, String hardwareAddress) {

    public NetworkDeviceStatus {
        ips = List.copyOf(ips);
    }
}
