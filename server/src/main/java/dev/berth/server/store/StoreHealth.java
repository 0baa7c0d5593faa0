package dev.berth.server.store;

/// Whether a store accepts writes.
public sealed interface StoreHealth {

    record Ready() implements StoreHealth {}

    /// Writes fail until the server is restarted.
    ///
    /// @param reason for clients; contains no path
    /// @param detail for the log of the server
    record Failed(String reason, String detail) implements StoreHealth {}
}
