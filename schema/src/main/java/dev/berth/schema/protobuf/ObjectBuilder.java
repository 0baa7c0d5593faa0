package dev.berth.schema.protobuf;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// An object under construction whose lists, maps and nested objects arrive in parts. Each part is
/// added in constant time.
final class ObjectBuilder {

    private sealed interface Member {
        record Value(Json json) implements Member {}

        record Items(List<Json> list) implements Member {}

        record Entries(Map<String, Json> map) implements Member {}

        record Nested(ObjectBuilder object) implements Member {}
    }

    private final Map<String, Member> members = new LinkedHashMap<>();

    void set(String name, Json value) {
        members.put(name, new Member.Value(value));
    }

    void remove(String name) {
        members.remove(name);
    }

    /// The items that a list has so far, to be appended to.
    List<Json> list(String name) {
        if (members.get(name) instanceof Member.Items(var list)) {
            return list;
        }
        var items = new Member.Items(new ArrayList<>());
        members.put(name, items);
        return items.list;
    }

    /// The entries that a map has so far, to be added to.
    Map<String, Json> map(String name) {
        if (members.get(name) instanceof Member.Entries(var map)) {
            return map;
        }
        var entries = new Member.Entries(new LinkedHashMap<>());
        members.put(name, entries);
        return entries.map;
    }

    /// The object in that field, with the fields that it has so far.
    ObjectBuilder object(String name) {
        if (members.get(name) instanceof Member.Nested(var object)) {
            return object;
        }
        var nested = new Member.Nested(new ObjectBuilder());
        members.put(name, nested);
        return nested.object;
    }

    JsonObject build() {
        var built = new LinkedHashMap<String, Json>();
        members.forEach((name, member) ->
                built.put(
                        name,
                        switch (member) {
                            case Member.Value(var json) -> json;
                            case Member.Items(var list) -> new JsonArray(list);
                            case Member.Entries(var map) -> new JsonObject(map);
                            case Member.Nested(var object) -> object.build();
                        }));
        return new JsonObject(built);
    }
}
