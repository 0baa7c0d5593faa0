package dev.berth.node.driver;

import java.util.List;

/// A claim's devices that belong to the driver.
public record ClaimAssignment<P>(ClaimRef claim, List<AssignedDevice<P>> devices) {

    public ClaimAssignment {
        devices = List.copyOf(devices);
    }
}
