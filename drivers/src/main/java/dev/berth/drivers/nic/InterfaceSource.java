package dev.berth.drivers.nic;

import dev.berth.drivers.machine.TextAttributes;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.AttributeValue.BoolValue;
import dev.berth.model.api.slice.CapacityRequestPolicy;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceCapacity;
import dev.berth.model.quantity.Quantity;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// A device of which interfaces are created for claims.
///
/// @param name device name
/// @param type type of the created interfaces
/// @param slots maximum number of interfaces at the same time
/// @param range address range of the interfaces
record InterfaceSource(String name, Type type, long slots, Optional<AddressRange> range) {

    /// Type of the created interfaces.
    sealed interface Type {

        /// A macvlan on an interface of the machine.
        record Macvlan(String parent) implements Type {}

        /// A veth pair whose other end stays in the machine, attached to a bridge or standalone.
        record Veth(Optional<String> bridge) implements Type {}
    }

    /// The interface of the machine that they depend on.
    Optional<String> parent() {
        return switch (type) {
            case Type.Macvlan(var parent) -> Optional.of(parent);
            case Type.Veth(var bridge) -> bridge;
        };
    }

    private String kind() {
        return switch (type) {
            case Type.Macvlan _ -> "macvlan";
            case Type.Veth _ -> "veth";
        };
    }

    Device device() {
        var attributes = new TreeMap<String, AttributeValue>();
        attributes.put("made", new BoolValue(true));
        TextAttributes.put(attributes, "kind", kind());
        parent().ifPresent(one -> TextAttributes.put(attributes, "parent", one));
        var one = Quantity.of(1);
        var policy =
                new CapacityRequestPolicy.ValidRange(
                        Optional.of(one), one, Optional.of(one), Optional.empty());
        return Device.named(name)
                .withAttributes(attributes)
                .withMultipleAllocations()
                .withCapacity(
                        Map.of(
                                "slots",
                                new DeviceCapacity(Quantity.of(slots), Optional.of(policy))));
    }
}
