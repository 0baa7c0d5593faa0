package dev.berth.model.api;

import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Optional;

/// Which amounts of a capacity can be consumed.
public sealed interface CapacityRequestPolicy {

    /// What a request consumes that does not name the capacity; all of it when absent.
    Optional<Quantity> defaultAmount();

    /// Any amount.
    record AnyAmount(Optional<Quantity> defaultAmount) implements CapacityRequestPolicy {}

    /// One of the values, which ascend.
    record ValidValues(Optional<Quantity> defaultAmount, List<Quantity> values)
            implements CapacityRequestPolicy {
        public ValidValues {
            values = List.copyOf(values);
        }
    }

    /// From a minimum to a maximum, in steps above the minimum.
    record ValidRange(
            Optional<Quantity> defaultAmount,
            Quantity min,
            Optional<Quantity> max,
            Optional<Quantity> step)
            implements CapacityRequestPolicy {}

    /// Values and a range at once, or a range without minimum; kept as it was written.
    record Unrecognised(Optional<Quantity> defaultAmount, JsonObject raw)
            implements CapacityRequestPolicy {}
}
