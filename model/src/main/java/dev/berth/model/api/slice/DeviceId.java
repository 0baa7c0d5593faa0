package dev.berth.model.api.slice;

/// Cluster-wide identity of a device: driver, pool and name.
public record DeviceId(String driver, String pool, String device) implements Comparable<DeviceId> {

    public PoolId poolId() {
        return new PoolId(driver, pool);
    }

    @Override
    public int compareTo(DeviceId other) {
        var byPool = poolId().compareTo(other.poolId());
        return byPool == 0 ? device.compareTo(other.device) : byPool;
    }

    @Override
    public String toString() {
        return driver + "/" + pool + "/" + device;
    }
}
