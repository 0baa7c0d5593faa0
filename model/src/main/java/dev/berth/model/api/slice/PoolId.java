package dev.berth.model.api.slice;

/// Identity of a resource pool: driver and name, because pool names are unique only within a
/// driver.
public record PoolId(String driver, String pool) implements Comparable<PoolId> {

    // Most pools of a cluster have the same driver, and their IDs share one string.
    @SuppressWarnings({"ReferenceEquality", "StringEquality"})
    @Override
    public int compareTo(PoolId other) {
        var byDriver = driver == other.driver ? 0 : driver.compareTo(other.driver);
        return byDriver == 0 ? pool.compareTo(other.pool) : byDriver;
    }

    @Override
    public String toString() {
        return driver + "/" + pool;
    }
}
