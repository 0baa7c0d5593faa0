package dev.berth.dashboard.fleet;

import java.util.List;

/// Classes and node of a published device.
///
/// @param node empty for devices that several nodes can access
public record DevicePlace(List<String> classes, String node) {
    public DevicePlace {
        classes = List.copyOf(classes);
    }
}
