package dev.berth.drivers.sim;

import dev.berth.model.api.DeviceId;
import dev.berth.model.api.DeviceTaint;
import java.time.Duration;
import java.util.List;

/// Something that goes wrong because somebody wants to see what happens then.
public sealed interface Fault {

    /// A fault of one device.
    sealed interface OfDevice extends Fault {
        DeviceId device();
    }

    /// The driver finds something wrong with a device: it is tainted, and reported as unhealthy.
    record Unhealthy(DeviceId device, List<DeviceTaint> taints, String message)
            implements OfDevice {
        public Unhealthy {
            taints = List.copyOf(taints);
        }
    }

    /// A device is no longer there.
    record Gone(DeviceId device) implements OfDevice {}

    /// The attachment of a device to a node fails.
    record Unattachable(DeviceId device) implements OfDevice {}

    /// Preparing a device takes a while.
    record SlowPrepare(DeviceId device, Duration delay) implements OfDevice {}

    /// Preparing a device fails, with a message.
    record FailingPrepare(DeviceId device, String message) implements OfDevice {}

    /// A node falls silent: no heartbeat, nothing of its pods.
    record SilentNode(String node) implements Fault {}
}
