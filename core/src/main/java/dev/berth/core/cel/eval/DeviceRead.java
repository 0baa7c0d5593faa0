package dev.berth.core.cel.eval;

import dev.berth.core.cel.library.CelError;
import dev.berth.model.api.QualifiedName;

/// `device.attributes["domain"].id`, or the same for capacity, as one lookup by qualified name.
final class DeviceRead extends Attribute {

    private static final int STEPS = 3;

    final boolean capacity;
    final QualifiedName name;

    DeviceRead(boolean capacity, QualifiedName name) {
        this.capacity = capacity;
        this.name = name;
    }

    @Override
    Object resolve(EvaluationFrame frame) {
        frame.chargeSteps(STEPS);
        return read(frame);
    }

    @Override
    Object eval(EvaluationFrame frame) {
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
