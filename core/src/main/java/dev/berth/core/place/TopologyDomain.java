package dev.berth.core.place;

/// A topology domain: the nodes with one value of a label.
public record TopologyDomain(String key, String value) {

    @Override
    public String toString() {
        return key + "=" + value;
    }
}
