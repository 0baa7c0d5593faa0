package dev.berth.core.allocate;

import dev.berth.core.cel.CelProgram;
import dev.berth.core.cel.DeviceView;
import dev.berth.core.cel.EvaluationResult;
import dev.berth.model.api.AttributeValue;
import dev.berth.model.api.QualifiedName;
import dev.berth.model.quantity.Quantity;
import java.util.Map;
import java.util.Optional;

/// A device of which only the driver is known.
///
/// An expression that is false without asking for more is false for all devices of the driver.
final class DriverOnlyDevice implements DeviceView {

    /// The expression asks for more than the driver; caught below.
    private static final class Asked extends RuntimeException {
        private static final long serialVersionUID = 1;

        Asked() {
            super("only the driver is known", null, false, false);
        }
    }

    private final String driver;
    private boolean asked;

    private DriverOnlyDevice(String driver) {
        this.driver = driver;
    }

    /// Whether an expression is false for every device of a driver, as far as can be told.
    static boolean isRuledOut(CelProgram program, String driver) {
        var device = new DriverOnlyDevice(driver);
        try {
            return program.evaluate(device) instanceof EvaluationResult.Matched(var matches, _)
                    && !matches
                    && !device.asked;
        } catch (Asked _) {
            return false;
        }
    }

    private Asked ask() {
        asked = true;
        return new Asked();
    }

    @Override
    public String driver() {
        return driver;
    }

    @Override
    public boolean allowMultipleAllocations() {
        throw ask();
    }

    @Override
    public Map<QualifiedName, AttributeValue> attributes() {
        throw ask();
    }

    @Override
    public Map<QualifiedName, Quantity> capacity() {
        throw ask();
    }

    @Override
    public Optional<String> fault() {
        return Optional.empty();
    }
}
