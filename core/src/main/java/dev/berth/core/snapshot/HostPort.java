package dev.berth.core.snapshot;

/// A host port of a pod, on one address or on all.
public record HostPort(long port, String protocol, String address) {

    private static final String ANY = "0.0.0.0";

    public static HostPort of(long port, String protocol, String address) {
        return new HostPort(
                port, protocol.isEmpty() ? "TCP" : protocol, address.isEmpty() ? ANY : address);
    }

    public boolean clashesWith(HostPort other) {
        return port == other.port
                && protocol.equals(other.protocol)
                && (address.equals(ANY)
                        || other.address.equals(ANY)
                        || address.equals(other.address));
    }
}
