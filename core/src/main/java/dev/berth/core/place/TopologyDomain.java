package dev.berth.core.place;

/// A label of nodes with a value, and the place that all nodes with it make up.
public record TopologyDomain(String key, String value) {

    @Override
    public String toString() {
        return key + "=" + value;
    }
}
