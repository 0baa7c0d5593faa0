package dev.berth.model.json;

import dev.berth.model.time.Rfc3339;
import java.time.Instant;
import java.util.List;

/// A JSON value. Trees of it are immutable, so they can be shared between threads and snapshots.
public sealed interface Json
        permits Json.JsonString,
                Json.JsonBool,
                Json.JsonNull,
                Json.JsonArray,
                JsonNumber,
                JsonObject {

    /// A string.
    record JsonString(String value) implements Json {}

    /// A boolean.
    record JsonBool(boolean value) implements Json {
        private static final JsonBool TRUE = new JsonBool(true);
        private static final JsonBool FALSE = new JsonBool(false);
    }

    /// The literal `null`.
    record JsonNull() implements Json {
        public static final JsonNull INSTANCE = new JsonNull();
    }

    /// A JSON array.
    record JsonArray(List<Json> items) implements Json {
        public static final JsonArray EMPTY = new JsonArray(List.of());

        public JsonArray {
            items = List.copyOf(items);
        }

        public int size() {
            return items.size();
        }
    }

    static JsonString of(String value) {
        return new JsonString(value);
    }

    /// A time in RFC 3339, truncated to seconds.
    static JsonString of(Instant time) {
        return new JsonString(Rfc3339.write(time));
    }

    static JsonBool of(boolean value) {
        return value ? JsonBool.TRUE : JsonBool.FALSE;
    }

    static JsonNumber of(long value) {
        return new JsonNumber(Long.toString(value));
    }

    static JsonArray array(List<? extends Json> items) {
        return new JsonArray(List.copyOf(items));
    }

    static JsonArray array(Json... items) {
        return new JsonArray(List.of(items));
    }

    /// The JSON word for this kind of value, as used in messages: `object`, `array`, `string`,
    /// `number`, `bool`, `null`.
    default String kindName() {
        return switch (this) {
            case JsonObject _ -> "object";
            case JsonArray _ -> "array";
            case JsonString _ -> "string";
            case JsonNumber _ -> "number";
            case JsonBool _ -> "bool";
            case JsonNull _ -> "null";
        };
    }
}
