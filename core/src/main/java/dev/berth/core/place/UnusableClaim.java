package dev.berth.core.place;

import dev.berth.model.api.Condition;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.DeviceTaint;
import dev.berth.model.api.ObjectRef;
import java.time.Duration;
import java.util.List;

/// Why a pod may not begin to use what a claim has been given, on whatever node.
public sealed interface UnusableClaim {

    /// A device has been tainted since.
    record Tainted(DeviceId device, DeviceTaint taint) implements UnusableClaim {}

    /// A device could not be attached.
    ///
    /// @param condition by which its driver says so
    record BindingFailed(DeviceId device, Condition condition) implements UnusableClaim {}

    /// A device should have been attached by now.
    ///
    /// @param missing conditions that are not true yet
    record BindingTimedOut(DeviceId device, List<String> missing, Duration timeout)
            implements UnusableClaim {
        public BindingTimedOut {
            missing = List.copyOf(missing);
        }
    }

    /// A device, or what it draws on, was given to others as well.
    ///
    /// @param others who have the same device; none when only what it draws on is short
    record AllocatedTwice(DeviceId device, List<ObjectRef> others) implements UnusableClaim {
        public AllocatedTwice {
            others = List.copyOf(others);
        }
    }

    /// As many use the claim as may.
    record ReservationsFull(int users) implements UnusableClaim {}
}
