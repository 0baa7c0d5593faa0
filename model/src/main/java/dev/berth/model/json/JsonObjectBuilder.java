package dev.berth.model.json;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Builder of an object. Avoids the hash table for which most objects are too small.
public final class JsonObjectBuilder {

    private static final int FIRST_ROOM = 6;

    private String[] names;
    private Json[] values;
    private int size;
    private @Nullable Map<String, Integer> places;

    public JsonObjectBuilder() {
        this(FIRST_ROOM);
    }

    /// @param room initial capacity, at least one
    public JsonObjectBuilder(int room) {
        names = new String[room];
        values = new Json[room];
    }

    public boolean has(String name) {
        return find(name) >= 0;
    }

    /// Sets a member; a new one is appended. Returns true for a new member.
    public boolean put(String name, Json value) {
        var at = find(name);
        if (at >= 0) {
            values[at] = value;
            return false;
        }
        if (size == names.length) {
            names = Arrays.copyOf(names, 2 * size);
            values = Arrays.copyOf(values, 2 * size);
        }
        if (places != null) {
            places.put(name, size);
        }
        names[size] = name;
        values[size++] = value;
        return true;
    }

    private int find(String name) {
        if (size > JsonMembers.FEW && places == null) {
            places = new HashMap<>();
            for (var at = 0; at < size; at++) {
                places.put(names[at], at);
            }
        }
        if (places != null) {
            return places.getOrDefault(name, -1);
        }
        for (var at = 0; at < size; at++) {
            if (names[at].equals(name)) {
                return at;
            }
        }
        return -1;
    }

    public JsonObject done() {
        return size == 0 ? JsonObject.EMPTY : new JsonObject(members());
    }

    JsonMembers members() {
        return JsonMembers.of(Arrays.copyOf(names, size), Arrays.copyOf(values, size));
    }
}
