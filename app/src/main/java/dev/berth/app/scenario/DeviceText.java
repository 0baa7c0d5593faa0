package dev.berth.app.scenario;

import dev.berth.core.cel.ListedDevice;
import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.quantity.Quantity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Formats attributes and capacities of devices.
final class DeviceText {

    private DeviceText() {}

    /// The attributes and capacities with given names that a device has. A name without a domain is
    /// in the domain of the driver.
    static Map<String, String> shown(ListedDevice device, List<String> names) {
        var shown = new LinkedHashMap<String, String>();
        for (var name : names) {
            var full = QualifiedName.of(name, device.driver());
            attribute(device, full)
                    .or(() ->
                            Optional.ofNullable(device.capacity().get(full))
                                    .map(Quantity::toString))
                    .ifPresent(text -> shown.put(full.id(), text));
        }
        return shown;
    }

    static Optional<String> attribute(ListedDevice device, QualifiedName name) {
        return Optional.ofNullable(device.attributes().get(name)).map(DeviceText::text);
    }

    private static String text(AttributeValue value) {
        return switch (value) {
            case AttributeValue.IntValue(var number) -> Long.toString(number);
            case AttributeValue.BoolValue(var flag) -> Boolean.toString(flag);
            case AttributeValue.StringValue(var text) -> text;
            case AttributeValue.VersionValue(var text) -> text;
            case AttributeValue.IntList(var values) -> joined(values);
            case AttributeValue.BoolList(var values) -> joined(values);
            case AttributeValue.StringList(var values) -> joined(values);
            case AttributeValue.VersionList(var values) -> joined(values);
            case AttributeValue.Unrecognised _ -> "?";
        };
    }

    private static String joined(List<?> values) {
        return values.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
