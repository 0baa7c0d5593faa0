package dev.berth.model.api.slice;

/// Cluster-wide identity of a device: driver, pool and name.
public record DeviceId(String driver, String pool, String device) implements Comparable<DeviceId> {

    public PoolId poolId() {
        return new PoolId(driver, pool);
    }

    // A set of held devices mostly has IDs of one pool: the name tells them apart.
    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof DeviceId id
                        && device.equals(id.device)
                        && pool.equals(id.pool)
                        && driver.equals(id.driver));
    }

    @Override
    public int hashCode() {
        return (driver.hashCode() * 31 + pool.hashCode()) * 31 + device.hashCode();
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
