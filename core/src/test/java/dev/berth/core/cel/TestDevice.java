package dev.berth.core.cel;

import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.quantity.Quantity;
import java.util.LinkedHashMap;
import java.util.Map;

/// A [DeviceView] built by tests.
public record TestDevice(
        String driver,
        boolean allowMultipleAllocations,
        Map<QualifiedName, AttributeValue> attributes,
        Map<QualifiedName, Quantity> capacity)
        implements DeviceView {

    public TestDevice {
        attributes = Map.copyOf(attributes);
        capacity = Map.copyOf(capacity);
    }

    public static TestDevice of(String driver) {
        return new TestDevice(driver, false, Map.of(), Map.of());
    }

    public TestDevice with(String name, AttributeValue value) {
        var more = new LinkedHashMap<>(attributes);
        more.put(QualifiedName.of(name, driver), value);
        return new TestDevice(driver, allowMultipleAllocations, more, capacity);
    }

    public TestDevice with(String name, String text) {
        return with(name, new AttributeValue.StringValue(text));
    }

    public TestDevice with(String name, long number) {
        return with(name, new AttributeValue.IntValue(number));
    }

    public TestDevice with(String name, boolean flag) {
        return with(name, new AttributeValue.BoolValue(flag));
    }

    public TestDevice withVersion(String name, String version) {
        return with(name, new AttributeValue.VersionValue(version));
    }

    public TestDevice withCapacity(String name, String amount) {
        var more = new LinkedHashMap<>(capacity);
        more.put(QualifiedName.of(name, driver), Quantity.parse(amount));
        return new TestDevice(driver, allowMultipleAllocations, attributes, more);
    }

    public TestDevice shared(boolean multiple) {
        return new TestDevice(driver, multiple, attributes, capacity);
    }

    public TestDevice drivenBy(String other) {
        return new TestDevice(other, allowMultipleAllocations, attributes, capacity);
    }

    public TestDevice without(QualifiedName name) {
        var fewer = new LinkedHashMap<>(attributes);
        fewer.remove(name);
        return new TestDevice(driver, allowMultipleAllocations, fewer, capacity);
    }
}
