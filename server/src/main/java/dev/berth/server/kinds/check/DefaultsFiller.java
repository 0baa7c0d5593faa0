package dev.berth.server.kinds.check;

import dev.berth.core.admission.field.TreeEdits;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.function.UnaryOperator;

/// Builder that sets defaults for absent fields of an object.
public final class DefaultsFiller {

    private JsonObject object;

    private DefaultsFiller(JsonObject object) {
        this.object = object;
    }

    public static DefaultsFiller of(JsonObject object) {
        return new DefaultsFiller(object);
    }

    /// Sets a string if it is absent or empty.
    public DefaultsFiller text(String name, String value) {
        return object.text(name).isEmpty() ? set(name, Json.of(value)) : this;
    }

    public DefaultsFiller number(String name, long value) {
        return json(name, Json.of(value));
    }

    /// Sets a number or a string if it is zero or empty: Go clients send these for fields whose Go
    /// type is no pointer.
    public DefaultsFiller nonZero(String name, Json value) {
        return object.text(name).isEmpty() && object.number(name).orElse(0) == 0
                ? set(name, value)
                : this;
    }

    public DefaultsFiller flag(String name, boolean value) {
        return json(name, Json.of(value));
    }

    public DefaultsFiller json(String name, Json value) {
        return object.has(name) ? this : set(name, value);
    }

    public DefaultsFiller set(String name, Json value) {
        object = object.with(name, value);
        return this;
    }

    public DefaultsFiller drop(String name) {
        object = object.without(name);
        return this;
    }

    /// Changes a member if it is present.
    public DefaultsFiller in(String name, UnaryOperator<JsonObject> change) {
        object = TreeEdits.at(object, change, name);
        return this;
    }

    /// Changes a member; an absent one starts as an empty object.
    public DefaultsFiller into(String name, UnaryOperator<JsonObject> change) {
        return set(name, change.apply(object.objectOrEmpty(name)));
    }

    public DefaultsFiller each(String list, UnaryOperator<JsonObject> change) {
        object = TreeEdits.each(object, list, change);
        return this;
    }

    public DefaultsFiller append(String list, Json item) {
        var items = new ArrayList<>(object.items(list));
        items.add(item);
        return set(list, new JsonArray(items));
    }

    public DefaultsFiller when(boolean condition, UnaryOperator<JsonObject> change) {
        object = condition ? change.apply(object) : object;
        return this;
    }

    public JsonObject done() {
        return object;
    }

    /// The object with its `spec` changed; an absent spec is created.
    public static JsonObject spec(JsonObject object, UnaryOperator<JsonObject> change) {
        return object.with("spec", change.apply(object.objectOrEmpty("spec")));
    }

    public static JsonObject metadata(JsonObject object, UnaryOperator<JsonObject> change) {
        return object.with("metadata", change.apply(object.objectOrEmpty("metadata")));
    }
}
