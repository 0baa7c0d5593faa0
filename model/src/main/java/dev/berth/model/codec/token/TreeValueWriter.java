package dev.berth.model.codec.token;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObjectBuilder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Builds a tree.
public final class TreeValueWriter implements ValueWriter {

    private sealed interface Level {}

    private static final class Members implements Level {
        private final JsonObjectBuilder members = new JsonObjectBuilder();
        private String name = "";
    }

    private record Items(List<Json> items) implements Level {}

    private final boolean takesOrigins;
    private final Deque<Level> open = new ArrayDeque<>();
    private Json root = JsonNull.INSTANCE;

    /// @param takesOrigins whether the tree that a record was decoded from is reused
    public TreeValueWriter(boolean takesOrigins) {
        this.takesOrigins = takesOrigins;
    }

    @Override
    public boolean takesOrigins() {
        return takesOrigins;
    }

    public Json root() {
        return root;
    }

    @Override
    public void startObject() {
        open.push(new Members());
    }

    @Override
    public void endObject() {
        if (open.pop() instanceof Members object) {
            json(object.members.done());
        }
    }

    @Override
    public void startArray() {
        open.push(new Items(new ArrayList<>()));
    }

    @Override
    public void endArray() {
        if (open.pop() instanceof Items(var items)) {
            json(new JsonArray(items));
        }
    }

    @Override
    public void name(String name) {
        if (open.peek() instanceof Members object) {
            object.name = name;
        }
    }

    @Override
    public void string(String value) {
        json(Json.of(value));
    }

    @Override
    public void number(long value) {
        json(Json.of(value));
    }

    @Override
    public void literal(String number) {
        json(new JsonNumber(number));
    }

    @Override
    public void bool(boolean value) {
        json(Json.of(value));
    }

    @Override
    public void nothing() {
        json(JsonNull.INSTANCE);
    }

    @Override
    public void json(Json value) {
        switch (open.peek()) {
            case null -> root = value;
            case Members object -> object.members.put(object.name, value);
            case Items(var items) -> items.add(value);
        }
    }
}
