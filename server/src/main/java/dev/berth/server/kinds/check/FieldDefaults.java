package dev.berth.server.kinds.check;

import dev.berth.core.admission.field.TreeEdits;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.Field;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.MapOf;
import dev.berth.schema.SchemaType.Struct;

/// Sets the default values of a schema. An empty string counts as absent, since Go has one value
/// for both.
public final class FieldDefaults {

    private FieldDefaults() {}

    /// The object with the defaults of all fields but those of metadata and status.
    public static JsonObject filled(Struct struct, JsonObject object) {
        var filled = object;
        for (var field : struct.fields().all()) {
            if (!FieldChecks.isCommon(field) && !field.name().equals("status")) {
                filled = filled(field, filled, field.name().equals("spec"));
            }
        }
        return filled;
    }

    private static JsonObject within(Struct struct, JsonObject object) {
        var filled = object;
        for (var field : struct.fields().all()) {
            filled = filled(field, filled, false);
        }
        return filled;
    }

    private static JsonObject filled(Field field, JsonObject object, boolean always) {
        var name = field.name();
        if (!isAbsent(object, name)) {
            return inside(field.type(), object, name);
        }
        if (field.initial().isPresent()) {
            return isEmptyText(field.initial().get())
                    ? object
                    : object.with(name, field.initial().get());
        }
        if ((field.required() || always) && field.type() instanceof Struct struct) {
            var made = within(struct, JsonObject.EMPTY);
            return made.isEmpty() ? object : object.with(name, made);
        }
        return object;
    }

    private static JsonObject inside(SchemaType type, JsonObject object, String name) {
        return switch (type) {
            case Struct struct -> TreeEdits.at(object, inner -> within(struct, inner), name);
            case ListOf list when list.item() instanceof Struct item ->
                    TreeEdits.each(object, name, inner -> within(item, inner));
            case MapOf map when map.value() instanceof Struct value ->
                    TreeEdits.eachEntry(object, name, inner -> within(value, inner));
            case ListOf _, MapOf _, SchemaType.Scalar _ -> object;
        };
    }

    private static boolean isAbsent(JsonObject object, String name) {
        return object.member(name).map(FieldDefaults::isEmptyText).orElse(true);
    }

    private static boolean isEmptyText(Json value) {
        return value instanceof JsonString(var text) && text.isEmpty();
    }
}
