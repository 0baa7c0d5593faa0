package dev.berth.core.cel.node;

/// `device.driver`.
public final class DriverRead extends Attribute {

    @Override
    Object resolve(EvaluationFrame frame) {
        frame.chargeSteps(1);
        return frame.device.driver();
    }

    @Override
    public Object eval(EvaluationFrame frame) {
        frame.chargeSteps(2);
        return frame.device.driver();
    }
}
