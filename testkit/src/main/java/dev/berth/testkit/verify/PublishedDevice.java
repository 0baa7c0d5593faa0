package dev.berth.testkit.verify;

import dev.berth.model.api.Device;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.NodeScope;
import dev.berth.model.api.ResourceSlice;
import dev.berth.model.api.SliceScope;
import java.util.Optional;

/// A published device and the slice that has it.
record PublishedDevice(ResourceSlice slice, Device device) {

    DeviceId id() {
        return new DeviceId(slice.spec().driver(), slice.spec().pool().name(), device.name());
    }

    /// From where the device can be used; empty when that is not said in a known way.
    Optional<NodeScope> scope() {
        Object scope =
                slice.spec().scope() instanceof SliceScope.PerDevice
                        ? device.scope()
                        : slice.spec().scope();
        return scope instanceof NodeScope known ? Optional.of(known) : Optional.empty();
    }
}
