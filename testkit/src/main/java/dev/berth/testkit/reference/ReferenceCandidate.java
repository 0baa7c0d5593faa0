package dev.berth.testkit.reference;

import dev.berth.model.api.Device;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.ResourceSlice;

/// A candidate device of the search.
record ReferenceCandidate(ReferencePool pool, ResourceSlice slice, Device device) {

    DeviceId id() {
        return new DeviceId(pool.id().driver(), pool.id().pool(), device.name());
    }
}
