package dev.berth.core.allocate.selector;

import dev.berth.core.cel.DeviceView;
import dev.berth.core.inventory.SliceTable;
import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.quantity.Quantity;
import java.util.HashMap;
import java.util.Map;

/// CEL view of a device in a [SliceTable].
public final class DeviceRowView implements DeviceView {

    private final SliceTable slice;
    private final int row;
    private final Map<QualifiedName, AttributeValue> attributes = new HashMap<>();
    private final Map<QualifiedName, Quantity> capacity = new HashMap<>();

    public DeviceRowView(SliceTable slice, int row) {
        this.slice = slice;
        this.row = row;
        var driver = driver();
        slice.attributes(row)
                .forEach((name, value) -> attributes.put(QualifiedName.of(name, driver), value));
        slice.capacities(row)
                .forEach((name, value) ->
                        capacity.put(QualifiedName.of(name, driver), value.value()));
    }

    @Override
    public String driver() {
        return slice.pool().driver();
    }

    @Override
    public boolean allowMultipleAllocations() {
        return slice.traits(row).shareable();
    }

    @Override
    public Map<QualifiedName, AttributeValue> attributes() {
        return attributes;
    }

    @Override
    public Map<QualifiedName, Quantity> capacity() {
        return capacity;
    }

    @Override
    public String toString() {
        return slice.pool() + "/" + slice.deviceName(row);
    }
}
