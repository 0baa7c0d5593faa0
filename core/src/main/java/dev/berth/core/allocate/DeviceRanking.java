package dev.berth.core.allocate;

import dev.berth.model.api.slice.DeviceId;
import java.util.List;

/// Orders the devices of a node by preference, for [DeviceOrder#PACKED].
@FunctionalInterface
public interface DeviceRanking {

    /// The order of devices: their indexes in the list, preferred ones first.
    ///
    /// @param devices in the order of Kubernetes
    int[] order(List<DeviceId> devices);
}
