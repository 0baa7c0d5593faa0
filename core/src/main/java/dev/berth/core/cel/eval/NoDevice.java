package dev.berth.core.cel.eval;

import dev.berth.core.cel.DeviceView;
import dev.berth.model.api.AttributeValue;
import dev.berth.model.api.QualifiedName;
import dev.berth.model.quantity.Quantity;
import java.util.Map;

/// What constant parts are evaluated on.
enum NoDevice implements DeviceView {
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
