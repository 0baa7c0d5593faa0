package dev.berth.model.api.slice;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectMeta;

/// Devices, or counters for devices, that a driver publishes as a part of one pool.
public record ResourceSlice(ObjectMeta metadata, ResourceSliceSpec spec)
        implements KubernetesObject {

    public PoolId poolId() {
        return new PoolId(spec.driver(), spec.pool().name());
    }
}
