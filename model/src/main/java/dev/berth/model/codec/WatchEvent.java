package dev.berth.model.codec;

import dev.berth.model.json.JsonObject;

/// One thing that a watch tells.
public sealed interface WatchEvent<T> {

    record Added<T>(T object) implements WatchEvent<T> {}

    record Modified<T>(T object) implements WatchEvent<T> {}

    /// The object as it was last.
    record Deleted<T>(T object) implements WatchEvent<T> {}

    /// Nothing happened up to a revision.
    record Bookmark<T>(String resourceVersion) implements WatchEvent<T> {}

    /// The watch has failed, or an event of a newer API; kept as it was written.
    record Other<T>(String type, JsonObject object) implements WatchEvent<T> {}
}
