package dev.berth.model.api;

/// Which pool: drivers may use the same pool names, so the name alone says nothing.
public record PoolId(String driver, String pool) implements Comparable<PoolId> {

    @Override
    public int compareTo(PoolId other) {
        var byDriver = driver.compareTo(other.driver);
        return byDriver == 0 ? pool.compareTo(other.pool) : byDriver;
    }

    @Override
    public String toString() {
        return driver + "/" + pool;
    }
}
