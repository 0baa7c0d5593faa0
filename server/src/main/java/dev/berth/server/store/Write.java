package dev.berth.server.store;

/// What came of a write.
public sealed interface Write {

    /// Reads see it; see [Store#secure].
    record Done(Entry entry) implements Write {}

    /// There already is an object of that name; nothing was created.
    record Exists(Entry current) implements Write {}

    /// The object has changed since the revision that was given; nothing was written.
    record Conflict(Entry current) implements Write {}

    /// There is no such object.
    record Missing() implements Write {}
}
