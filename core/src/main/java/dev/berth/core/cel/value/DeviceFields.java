package dev.berth.core.cel.value;

import dev.berth.core.cel.DeviceView;
import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A device as a CEL map of its fields.
public final class DeviceFields extends AbstractMap<Object, Object> {

    public static final String DRIVER = "driver";
    public static final String ATTRIBUTES = "attributes";
    public static final String CAPACITY = "capacity";
    public static final String ALLOW_MULTIPLE = "allowMultipleAllocations";

    private final DeviceView device;

    public DeviceFields(DeviceView device) {
        this.device = device;
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
        return key instanceof String name ? field(name) : null;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return get(key) != null;
    }

    private @Nullable Object field(String name) {
        return switch (name) {
            case DRIVER -> device.driver();
            case ALLOW_MULTIPLE -> device.allowMultipleAllocations();
            case ATTRIBUTES -> DomainMap.attributes(device);
            case CAPACITY -> DomainMap.capacity(device);
            default -> null;
        };
    }

    @Override
    public Set<Map.Entry<Object, Object>> entrySet() {
        var fields = new LinkedHashMap<Object, Object>();
        fields.put(DRIVER, device.driver());
        fields.put(ALLOW_MULTIPLE, device.allowMultipleAllocations());
        fields.put(ATTRIBUTES, DomainMap.attributes(device));
        fields.put(CAPACITY, DomainMap.capacity(device));
        return fields.entrySet();
    }
}
