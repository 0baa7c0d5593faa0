package dev.berth.model.codec;

import dev.berth.model.json.JsonObject;

/// A watch event.
public sealed interface WatchEvent<T> {

    record Added<T>(T object) implements WatchEvent<T> {}

    record Modified<T>(T object) implements WatchEvent<T> {}

    /// The last state of the object.
    record Deleted<T>(T object) implements WatchEvent<T> {}

    /// A bookmark: all events up to this resource version were sent.
    record Bookmark<T>(String resourceVersion) implements WatchEvent<T> {}

    /// An error of the watch, or an event of an unknown type; kept as written.
    record Other<T>(String type, JsonObject object) implements WatchEvent<T> {}
}
