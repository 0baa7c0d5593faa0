package dev.berth.core.cel;

import dev.berth.core.cel.value.AttributeValues;
import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.quantity.Quantity;
import java.util.Map;
import java.util.Optional;

/// The fields of a device that expressions can read.
public interface DeviceView {

    String driver();

    boolean allowMultipleAllocations();

    /// Attributes by qualified name; names without a domain get that of the driver.
    Map<QualifiedName, AttributeValue> attributes();

    /// Published capacities by qualified name; not reduced by allocations.
    Map<QualifiedName, Quantity> capacity();

    /// Error that makes every evaluation on the device fail: an attribute without a value of a
    /// known type, or a malformed version. Computed on each call; cache it where devices are
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
