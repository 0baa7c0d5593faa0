package dev.berth.core.testkit.reference;

import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.ResourceSlice;

/// A candidate device of the search.
record ReferenceCandidate(ReferencePool pool, ResourceSlice slice, Device device) {

    DeviceId id() {
        return new DeviceId(pool.id().driver(), pool.id().pool(), device.name());
    }
}
