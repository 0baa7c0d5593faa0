package dev.berth.app.inventory;

import dev.berth.core.inventory.DeviceLocality;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import java.util.List;

/// The devices of one node, or those that several nodes share.
///
/// @param title name of the node, or the nodes
/// @param devices in allocation order
/// @param unusable pools without usable devices
record NodeInventory(
        String title, List<Item> devices, List<CounterLeft> counters, List<Unusable> unusable) {

    /// One device.
    ///
    /// @param holders claims to which it or a share of it is allocated
    /// @param left remaining capacities of a shareable device
    record Item(
            DeviceId id,
            DeviceLocality locality,
            State state,
            List<String> holders,
            List<String> taints,
            List<CapacityLeft> left) {}

    /// The state of a device.
    enum State {
        FREE("free"),
        IN_USE("in use"),
        SHARED("shared"),
        TAINTED("tainted"),
        /// The counters that the device needs are used up by other devices.
        NO_COUNTERS("blocked");

        private final String text;

        State(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    record CapacityLeft(String name, String left, String total) {}

    record CounterLeft(PoolId pool, String name, String left, String total) {}

    record Unusable(PoolId pool, String reason) {}

    NodeInventory {
        devices = List.copyOf(devices);
        counters = List.copyOf(counters);
        unusable = List.copyOf(unusable);
    }

    long count(State state) {
        return devices.stream().filter(item -> item.state == state).count();
    }
}
