package dev.berth.model.codec.token;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;

/// Output of encoding: a stream or a tree.
public interface ValueWriter {

    /// Whether the tree that a record was decoded from may be reused for it.
    default boolean takesOrigins() {
        return false;
    }

    void startObject();

    void endObject();

    void startArray();

    void endArray();

    void name(String name);

    void string(String value);

    void number(long value);

    /// A number by its spelling.
    void literal(String number);

    void bool(boolean value);

    void nothing();

    default void json(Json value) {
        switch (value) {
            case JsonObject object -> {
                startObject();
                members(object);
                endObject();
            }
            case JsonArray(var items) -> {
                startArray();
                items.forEach(this::json);
                endArray();
            }
            case JsonString(var string) -> string(string);
            case JsonNumber(var literal) -> literal(literal);
            case JsonBool(var flag) -> bool(flag);
            case JsonNull _ -> nothing();
        }
    }

    default void members(JsonObject object) {
        object.members()
                .forEach((name, value) -> {
                    name(name);
                    json(value);
                });
    }
}
