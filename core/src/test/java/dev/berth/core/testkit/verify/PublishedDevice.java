package dev.berth.core.testkit.verify;

import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.SliceScope;
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
