package dev.berth.core.place;

/// A host port of a pod, on one address or on all.
record HostPort(long port, String protocol, String address) {

    private static final String ANY = "0.0.0.0";

    static HostPort of(long port, String protocol, String address) {
        return new HostPort(
                port, protocol.isEmpty() ? "TCP" : protocol, address.isEmpty() ? ANY : address);
    }

    boolean clashesWith(HostPort other) {
        return port == other.port
                && protocol.equals(other.protocol)
                && (address.equals(ANY)
                        || other.address.equals(ANY)
                        || address.equals(other.address));
    }
}
