package dev.berth.core.testkit.cel;

import dev.berth.core.cel.DeviceView;
import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.Device;
import dev.berth.model.quantity.Quantity;
import java.util.LinkedHashMap;
import java.util.Map;

/// CEL view of a device in a ResourceSlice.
public record SliceDeviceView(
        String driver,
        boolean allowMultipleAllocations,
        Map<QualifiedName, AttributeValue> attributes,
        Map<QualifiedName, Quantity> capacity)
        implements DeviceView {

    public static SliceDeviceView of(String driver, Device device) {
        var attributes = new LinkedHashMap<QualifiedName, AttributeValue>();
        device.attributes()
                .forEach((name, value) -> attributes.put(QualifiedName.of(name, driver), value));
        var capacity = new LinkedHashMap<QualifiedName, Quantity>();
        device.capacity()
                .forEach((name, value) ->
                        capacity.put(QualifiedName.of(name, driver), value.value()));
        return new SliceDeviceView(driver, device.isShareable(), attributes, capacity);
    }
}
