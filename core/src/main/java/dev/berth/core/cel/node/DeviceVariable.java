package dev.berth.core.cel.node;

import dev.berth.core.cel.value.DeviceFields;

/// `device`, as a map of its fields.
public final class DeviceVariable extends Attribute {

    @Override
    Object resolve(EvaluationFrame frame) {
        return new DeviceFields(frame.device);
    }
}
