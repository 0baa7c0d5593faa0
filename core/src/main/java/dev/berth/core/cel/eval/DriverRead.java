package dev.berth.core.cel.eval;

/// `device.driver`.
final class DriverRead extends Attribute {

    @Override
    Object resolve(EvaluationFrame frame) {
        frame.chargeSteps(1);
        return frame.device.driver();
    }

    @Override
    Object eval(EvaluationFrame frame) {
        frame.chargeSteps(2);
        return frame.device.driver();
    }
}
