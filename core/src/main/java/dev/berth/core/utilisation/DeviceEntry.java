package dev.berth.core.utilisation;

import dev.berth.core.inventory.DeviceLocality;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.DeviceId;
import java.util.List;

/// One device of an inventory with its state and holders.
///
/// @param inUse share of the device in use, between 0 and 1. The share of a partitioned GPU is in
///   its counters
/// @param left remaining capacities of a shareable device
/// @param classes device classes that the device matches
/// @param product name of the product; empty when the driver publishes none
/// @param memory the capacity `memory`; empty when the driver publishes none
/// @param profile partition profile; empty for devices that are no partitions
/// @param counterSet first counter set that the device consumes; empty without counters
public record DeviceEntry(
        DeviceId id,
        DeviceLocality locality,
        State state,
        double inUse,
        List<Holder> holders,
        List<String> taints,
        List<CapacityLeft> left,
        List<String> classes,
        String product,
        String memory,
        String profile,
        String counterSet) {

    /// A claim to which a device or a share of it is allocated.
    ///
    /// @param pods names of the pods for which the claim is reserved
    public record Holder(ObjectRef claim, List<String> pods, boolean hasAdminAccess) {
        public Holder {
            pods = List.copyOf(pods);
        }

        /// The pod, or the claim without one: `namespace/name`.
        public String label() {
            var name = pods.size() == 1 ? pods.getFirst() : claim.name();
            var more = pods.size() > 1 ? " (%d pods)".formatted(pods.size()) : "";
            return claim.namespace() + "/" + name + more + (hasAdminAccess ? " (admin)" : "");
        }
    }

    /// The state of a device.
    public enum State {
        FREE("free"),
        IN_USE("in use"),
        SHARED("shared"),
        TAINTED("tainted"),
        /// The counters that the device needs are used up by other devices.
        BLOCKED("blocked");

        private final String text;

        State(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /// Remaining and total amount of a capacity.
    public record CapacityLeft(String name, String left, String total) {}

    public DeviceEntry {
        holders = List.copyOf(holders);
        taints = List.copyOf(taints);
        left = List.copyOf(left);
        classes = List.copyOf(classes);
    }
}
