package dev.berth.core.cel;

import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.Device;
import dev.berth.model.quantity.Quantity;
import java.util.HashMap;
import java.util.Map;

/// [DeviceView] of a device as published in a ResourceSlice.
public record ListedDevice(
        String driver,
        boolean allowMultipleAllocations,
        Map<QualifiedName, AttributeValue> attributes,
        Map<QualifiedName, Quantity> capacity)
        implements DeviceView {

    public ListedDevice {
        attributes = Map.copyOf(attributes);
        capacity = Map.copyOf(capacity);
    }

    public static ListedDevice of(String driver, Device device) {
        var attributes = new HashMap<QualifiedName, AttributeValue>();
        var capacity = new HashMap<QualifiedName, Quantity>();
        device.attributes()
                .forEach((name, value) -> attributes.put(QualifiedName.of(name, driver), value));
        device.capacity()
                .forEach((name, value) ->
                        capacity.put(QualifiedName.of(name, driver), value.value()));
        return new ListedDevice(driver, device.isShareable(), attributes, capacity);
    }
}
