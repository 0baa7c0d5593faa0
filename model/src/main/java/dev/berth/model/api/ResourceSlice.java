package dev.berth.model.api;

/// Devices, or counters for devices, that a driver publishes as a part of one pool.
public record ResourceSlice(ObjectMeta metadata, ResourceSliceSpec spec)
        implements KubernetesObject {

    public PoolId poolId() {
        return new PoolId(spec.driver(), spec.pool().name());
    }
}
