package dev.berth.model.api.slice;

import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Optional;

/// The amounts of a capacity that requests can consume.
public sealed interface CapacityRequestPolicy {

    /// The amount for requests that do not name the capacity; the whole capacity when absent.
    Optional<Quantity> defaultAmount();

    /// Any amount.
    record AnyAmount(Optional<Quantity> defaultAmount) implements CapacityRequestPolicy {}

    /// One of these values, in ascending order.
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

    /// Both values and a range, or a range without minimum; kept as written.
    record Unrecognised(Optional<Quantity> defaultAmount, JsonObject raw)
            implements CapacityRequestPolicy {}
}
