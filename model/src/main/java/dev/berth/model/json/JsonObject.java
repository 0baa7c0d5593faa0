package dev.berth.model.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A JSON object with its members in order.
///
/// The typed accessors (`string`, `object`, `array`, `flag`, `number`) treat a missing member, a
/// `null` and a value of another kind alike, as absent: they are for trees whose shape has been
/// checked against a schema.
public record JsonObject(Map<String, Json> members) implements Json {

    public static final JsonObject EMPTY = new JsonObject(Map.of());

    public JsonObject {
        members = JsonMembers.of(members);
    }

    /// An object of parallel arrays. Names must be distinct, and the arrays must not be changed
    /// afterwards.
    public static JsonObject ofDistinct(String[] names, Json[] values) {
        return names.length == 0 ? EMPTY : new JsonObject(JsonMembers.of(names, values));
    }

    public static JsonObject of(String name, Json value) {
        return new JsonObject(Map.of(name, value));
    }

    public Set<String> names() {
        return members.keySet();
    }

    public boolean isEmpty() {
        return members.isEmpty();
    }

    public int size() {
        return members.size();
    }

    /// The name of the member at an index.
    public String nameAt(int place) {
        return JsonMembers.of(members).name(place);
    }

    /// The value of the member at an index.
    public Json valueAt(int place) {
        return JsonMembers.of(members).value(place);
    }

    /// The member's value; a JSON `null` counts as absent.
    public Optional<Json> member(String name) {
        var value = members.get(name);
        return value instanceof JsonNull ? Optional.empty() : Optional.ofNullable(value);
    }

    /// The member's value; a JSON `null` when absent.
    public Json memberOrNull(String name) {
        var value = members.get(name);
        return value == null ? JsonNull.INSTANCE : value;
    }

    /// True when the member is present and not `null`, even if empty or zero.
    public boolean has(String name) {
        var value = members.get(name);
        return value != null && !(value instanceof JsonNull);
    }

    public Optional<String> string(String name) {
        return members.get(name) instanceof JsonString(var value)
                ? Optional.of(value)
                : Optional.empty();
    }

    /// The string, or the empty string when absent: Kubernetes rarely distinguishes the two.
    public String text(String name) {
        return members.get(name) instanceof JsonString(var value) ? value : "";
    }

    public Optional<Boolean> flag(String name) {
        return members.get(name) instanceof JsonBool(var value)
                ? Optional.of(value)
                : Optional.empty();
    }

    public OptionalLong number(String name) {
        return members.get(name) instanceof JsonNumber number
                ? number.asLong()
                : OptionalLong.empty();
    }

    public Optional<JsonObject> object(String name) {
        return members.get(name) instanceof JsonObject object
                ? Optional.of(object)
                : Optional.empty();
    }

    public JsonObject objectOrEmpty(String name) {
        return members.get(name) instanceof JsonObject object ? object : EMPTY;
    }

    public Optional<JsonArray> array(String name) {
        return members.get(name) instanceof JsonArray array ? Optional.of(array) : Optional.empty();
    }

    /// The items of a list; none when absent.
    public List<Json> items(String name) {
        return members.get(name) instanceof JsonArray(var items) ? items : List.of();
    }

    /// The items of a list of objects; an item of another type is an empty object, so that indexes
    /// stay correct.
    public List<JsonObject> objects(String name) {
        var items = items(name);
        var objects = new ArrayList<JsonObject>(items.size());
        for (var item : items) {
            objects.add(item instanceof JsonObject object ? object : EMPTY);
        }
        return objects;
    }

    /// The items of a list of strings; an item of another type is the empty string.
    public List<String> strings(String name) {
        var items = items(name);
        var strings = new ArrayList<String>(items.size());
        for (var item : items) {
            strings.add(item instanceof JsonString(var value) ? value : "");
        }
        return strings;
    }

    /// This object with one member set; a new one is appended. Returns `this` if nothing changes.
    @SuppressWarnings("ReferenceEquality") // identical objects have not changed
    public JsonObject with(String name, Json value) {
        var changed = JsonMembers.of(members).with(name, value);
        return changed == members ? this : new JsonObject(changed);
    }

    /// This object with the members of `head` in front, replacing members of the same name; `this`
    /// if it starts with them already.
    @SuppressWarnings("ReferenceEquality") // identical objects have not changed
    public JsonObject beginningWith(JsonObject head) {
        var changed = JsonMembers.of(members).beginningWith(JsonMembers.of(head.members));
        return changed == members ? this : new JsonObject(changed);
    }

    /// This object with equal parts replaced by those of another object at the same path. Later
    /// comparisons are by identity, and memos are shared.
    public JsonObject sharing(JsonObject other) {
        return new JsonObject(JsonMembers.of(members).sharing(JsonMembers.of(other.members)));
    }

    /// The last memo stored for this object; another component may have replaced it.
    public @Nullable Object memo() {
        return JsonMembers.of(members).memo();
    }

    /// Stores a value derived from this object for the object's lifetime.
    public void remember(Object memo) {
        JsonMembers.of(members).remember(memo);
    }

    /// This object without a member.
    public JsonObject without(String name) {
        return members.containsKey(name)
                ? new JsonObject(JsonMembers.of(members).without(name))
                : this;
    }
}
