package dev.berth.core.cel;

import dev.berth.core.cel.eval.AttributeValues;
import dev.berth.model.api.AttributeValue;
import dev.berth.model.api.QualifiedName;
import dev.berth.model.quantity.Quantity;
import java.util.Map;
import java.util.Optional;

/// What an expression can see of a device.
public interface DeviceView {

    String driver();

    boolean allowMultipleAllocations();

    /// Attributes by full name: a key without a domain has got the driver's.
    Map<QualifiedName, AttributeValue> attributes();

    /// Published capacities by full name; never what is left of them.
    Map<QualifiedName, Quantity> capacity();

    /// Why no expression can be evaluated on the device: an attribute without a value of a known
    /// kind, or a version that is none. Computed anew for each call; keep it where devices are
    /// evaluated often.
    default Optional<String> fault() {
        for (var attribute : attributes().entrySet()) {
            var fault = AttributeValues.fault(attribute.getValue());
            if (fault.isPresent()) {
                var name = attribute.getKey();
                var shown = name.domain().equals(driver()) ? name.id() : name.toString();
                return Optional.of("attribute " + shown + ": " + fault.get());
            }
        }
        return Optional.empty();
    }
}
