package dev.berth.core.allocate.selector;

import dev.berth.core.cel.CelProgram;
import dev.berth.core.cel.DeviceView;
import dev.berth.core.cel.EvaluationResult;
import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.quantity.Quantity;
import java.util.Map;
import java.util.Optional;

/// A CEL device view with a driver name and no attributes or capacities.
///
/// An expression that evaluates to false on it without reading further fields is false for all
/// devices of the driver.
final class DriverOnlyDevice implements DeviceView {

    /// The expression reads a field other than the driver; caught below.
    private static final class OtherFieldRead extends RuntimeException {
        private static final long serialVersionUID = 1;

        OtherFieldRead() {
            super("only the driver is known", null, false, false);
        }
    }

    private final String driver;
    private boolean otherFieldRead;

    private DriverOnlyDevice(String driver) {
        this.driver = driver;
    }

    /// Whether an expression is false for every device of a driver. A `false` is no proof of the
    /// opposite.
    static boolean isRuledOut(CelProgram program, String driver) {
        var device = new DriverOnlyDevice(driver);
        try {
            return program.evaluate(device) instanceof EvaluationResult.Matched(var matches, _)
                    && !matches
                    && !device.otherFieldRead;
        } catch (OtherFieldRead _) {
            return false;
        }
    }

    private OtherFieldRead otherFieldRead() {
        otherFieldRead = true;
        return new OtherFieldRead();
    }

    @Override
    public String driver() {
        return driver;
    }

    @Override
    public boolean allowMultipleAllocations() {
        throw otherFieldRead();
    }

    @Override
    public Map<QualifiedName, AttributeValue> attributes() {
        throw otherFieldRead();
    }

    @Override
    public Map<QualifiedName, Quantity> capacity() {
        throw otherFieldRead();
    }

    @Override
    public Optional<String> fault() {
        return Optional.empty();
    }
}
