package dev.berth.server.store;

/// Result of a write.
public sealed interface WriteResult {

    /// Reads see the write; see [Store#awaitDurable].
    record Done(Entry entry) implements WriteResult {}

    /// An object with that key already exists; nothing was created.
    record Exists(Entry current) implements WriteResult {}

    /// The object does not have the expected revision; nothing was written.
    record Conflict(Entry current) implements WriteResult {}

    /// The object does not exist.
    record Missing() implements WriteResult {}
}
