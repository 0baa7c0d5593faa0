package dev.berth.node.driver;

import java.util.List;

/// A claim's devices that belong to the driver.
public record Assignment<P>(ClaimRef claim, List<AssignedDevice<P>> devices) {

    public Assignment {
        devices = List.copyOf(devices);
    }
}
