package dev.berth.app.inventory;

import dev.berth.core.inventory.DeviceLocality;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.PoolId;
import java.util.List;

/// What one node has, or what several nodes have in common.
///
/// @param title the node's name, or which nodes
/// @param devices in the order in which they are tried
/// @param unusable pools of which nothing can be had
record NodeInventory(
        String title, List<Item> devices, List<CounterLeft> counters, List<Unusable> unusable) {

    /// One device.
    ///
    /// @param holders claims that have it or a share of it
    /// @param left what is left of the capacities of a shareable device
    record Item(
            DeviceId id,
            DeviceLocality locality,
            State state,
            List<String> holders,
            List<String> taints,
            List<CapacityLeft> left) {}

    /// Whether a device can be had.
    enum State {
        FREE("free"),
        IN_USE("in use"),
        SHARED("shared"),
        TAINTED("tainted"),
        /// Other devices have used up the counters that it needs.
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
