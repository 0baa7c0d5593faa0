package dev.berth.server.store;

/// What came of a write.
public sealed interface WriteResult {

    /// Reads see it; see [Store#secure].
    record Done(Entry entry) implements WriteResult {}

    /// There already is an object of that name; nothing was created.
    record Exists(Entry current) implements WriteResult {}

    /// The object has changed since the revision that was given; nothing was written.
    record Conflict(Entry current) implements WriteResult {}

    /// There is no such object.
    record Missing() implements WriteResult {}
}
