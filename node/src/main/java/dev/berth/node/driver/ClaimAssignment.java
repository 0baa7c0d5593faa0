package dev.berth.node.driver;

import java.util.List;

/// The devices of one claim that belong to this driver.
public record ClaimAssignment<P>(ClaimRef claim, List<AssignedDevice<P>> devices) {

    public ClaimAssignment {
        devices = List.copyOf(devices);
    }
}
