package dev.berth.drivers.nic;

import dev.berth.drivers.machine.TextAttributes;
import dev.berth.model.api.AttributeValue;
import dev.berth.model.api.AttributeValue.BoolValue;
import dev.berth.model.api.CapacityRequestPolicy;
import dev.berth.model.api.Device;
import dev.berth.model.api.DeviceCapacity;
import dev.berth.model.quantity.Quantity;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Of what interfaces are made for claims.
///
/// @param name of the device
/// @param type how they are made
/// @param slots how many there can be at once
/// @param range from which each gets an address
record InterfaceSource(String name, Type type, long slots, Optional<AddressRange> range) {

    /// How interfaces are made.
    sealed interface Type {

        /// As a station of its own beside an interface of the machine.
        record Macvlan(String parent) implements Type {}

        /// As one end of a cable whose other end stays in the machine, at a bridge or by itself.
        record Veth(Optional<String> bridge) implements Type {}
    }

    /// The interface of the machine that they need.
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
