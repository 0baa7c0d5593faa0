package dev.berth.testkit.verify;

import dev.berth.model.api.Device;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.NodeScope;
import dev.berth.model.api.ResourceSlice;
import dev.berth.model.api.SliceScope;
import java.util.Optional;

/// A published device with its slice.
record PublishedDevice(ResourceSlice slice, Device device) {

    DeviceId id() {
        return new DeviceId(slice.spec().driver(), slice.spec().pool().name(), device.name());
    }

    /// The nodes with access to the device; empty for an unrecognised scope.
    Optional<NodeScope> scope() {
        Object scope =
                slice.spec().scope() instanceof SliceScope.PerDevice
                        ? device.scope()
                        : slice.spec().scope();
        return scope instanceof NodeScope known ? Optional.of(known) : Optional.empty();
    }
}
