package dev.berth.model.api;

/// Which device, in all of the cluster.
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
