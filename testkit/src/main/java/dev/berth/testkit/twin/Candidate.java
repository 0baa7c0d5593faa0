package dev.berth.testkit.twin;

import dev.berth.model.api.Device;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.ResourceSlice;

/// A device where the search meets it.
record Candidate(Pool pool, ResourceSlice slice, Device device) {

    DeviceId id() {
        return new DeviceId(pool.id().driver(), pool.id().pool(), device.name());
    }
}
