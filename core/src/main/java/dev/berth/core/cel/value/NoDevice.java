package dev.berth.core.cel.value;

import dev.berth.core.cel.DeviceView;
import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.quantity.Quantity;
import java.util.Map;

/// Placeholder device for the evaluation of constant expressions.
public enum NoDevice implements DeviceView {
    INSTANCE;

    @Override
    public String driver() {
        return "";
    }

    @Override
    public boolean allowMultipleAllocations() {
        return false;
    }

    @Override
    public Map<QualifiedName, AttributeValue> attributes() {
        return Map.of();
    }

    @Override
    public Map<QualifiedName, Quantity> capacity() {
        return Map.of();
    }
}
