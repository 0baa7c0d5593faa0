package dev.berth.drivers.sim;

import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.taint.DeviceTaint;
import java.time.Duration;
import java.util.List;

/// An injected fault.
public sealed interface Fault {

    /// A fault of one device.
    sealed interface OfDevice extends Fault {
        DeviceId device();
    }

    /// An unhealthy device: the driver taints it and reports it as unhealthy.
    record Unhealthy(DeviceId device, List<DeviceTaint> taints, String message)
            implements OfDevice {
        public Unhealthy {
            taints = List.copyOf(taints);
        }
    }

    /// A removed device: the driver no longer publishes it.
    record Gone(DeviceId device) implements OfDevice {}

    /// The attachment of a device to a node fails.
    record Unattachable(DeviceId device) implements OfDevice {}

    /// NodePrepareResources is delayed for a device.
    record SlowPrepare(DeviceId device, Duration delay) implements OfDevice {}

    /// NodePrepareResources fails for a device, with a message.
    record FailingPrepare(DeviceId device, String message) implements OfDevice {}

    /// A node stops its heartbeats and pod status updates.
    record SilentNode(String node) implements Fault {}
}
