package dev.berth.core.cel.node;

import dev.berth.core.cel.library.CelError;
import dev.berth.core.cel.value.AttributeValues;
import dev.berth.model.api.meta.QualifiedName;

/// `device.attributes["domain"].id`, or the same for capacity, as one lookup by qualified name.
public final class DeviceRead extends Attribute {

    private static final int STEPS = 3;

    public final boolean capacity;
    public final QualifiedName name;

    public DeviceRead(boolean capacity, QualifiedName name) {
        this.capacity = capacity;
        this.name = name;
    }

    @Override
    Object resolve(EvaluationFrame frame) {
        frame.chargeSteps(STEPS);
        return read(frame);
    }

    @Override
    public Object eval(EvaluationFrame frame) {
        frame.chargeSteps(STEPS + 1);
        return read(frame);
    }

    private Object read(EvaluationFrame frame) {
        if (capacity) {
            var amount = frame.device.capacity().get(name);
            return amount == null ? CelError.noSuchKey(name.id()) : amount;
        }
        var value = frame.device.attributes().get(name);
        return value == null ? CelError.noSuchKey(name.id()) : AttributeValues.toCel(value);
    }
}
