package dev.berth.server.store;

/// Whether a store takes writes.
public sealed interface StoreHealth {

    record Ready() implements StoreHealth {}

    /// Nothing is written any more until the server is restarted.
    ///
    /// @param reason for any client; names no path
    /// @param detail for the log of the server
    record Failed(String reason, String detail) implements StoreHealth {}
}
