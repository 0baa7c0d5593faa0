package dev.berth.core.allocate;

import dev.berth.core.allocate.state.NodeDevices;

/// Orders the devices of a node by preference, for [DeviceOrder#PACKED].
@FunctionalInterface
public interface DeviceRanking {

    /// The numbers of all devices, preferred ones first.
    int[] order(NodeDevices devices);
}
