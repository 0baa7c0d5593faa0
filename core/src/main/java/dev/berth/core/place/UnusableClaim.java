package dev.berth.core.place;

import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.taint.DeviceTaint;
import java.time.Duration;
import java.util.List;

/// Why a pod cannot use an allocated claim on any node.
public sealed interface UnusableClaim {

    /// A device was tainted after allocation.
    record Tainted(DeviceId device, DeviceTaint taint) implements UnusableClaim {}

    /// A binding failure condition of a device is true.
    ///
    /// @param condition the condition that the driver reports
    record BindingFailed(DeviceId device, Condition condition) implements UnusableClaim {}

    /// The binding conditions of a device did not become true in time.
    ///
    /// @param missing binding conditions that are not true
    record BindingTimedOut(DeviceId device, List<String> missing, Duration timeout)
            implements UnusableClaim {
        public BindingTimedOut {
            missing = List.copyOf(missing);
        }
    }

    /// A device, or the counters that it consumes, are allocated to other claims as well.
    ///
    /// @param others claims with the same device; empty when only counters are exceeded
    record AllocatedTwice(DeviceId device, List<ObjectRef> others) implements UnusableClaim {
        public AllocatedTwice {
            others = List.copyOf(others);
        }
    }

    /// `reservedFor` has the maximum number of entries.
    record ReservationsFull(int users) implements UnusableClaim {}
}
