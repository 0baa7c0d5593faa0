package dev.berth.core.cel.eval;

/// `device`, as a map of its fields.
final class DeviceVariable extends Attribute {

    @Override
    Object resolve(EvaluationFrame frame) {
        return new DeviceFields(frame.device);
    }
}
