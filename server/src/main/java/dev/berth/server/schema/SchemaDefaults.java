package dev.berth.server.schema;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonLength;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Applies the defaults of a structural schema.
///
/// A few kilobytes of empty items can expand to gigabytes of defaults. Therefore added values are
/// counted, at least with the length of their JSON, and defaulting stops at the limit.
final class SchemaDefaults {

    private long bytesLeft;

    SchemaDefaults(long maxBytes) {
        this.bytesLeft = maxBytes;
    }

    /// The object with defaults; empty if they exceed the limit.
    Optional<JsonObject> fill(JsonObject schema, JsonObject object) {
        var filled = filled(schema, object, true);
        return bytesLeft < 0 ? Optional.empty() : Optional.of(filled);
    }

    private Json filled(JsonObject schema, Json value) {
        if (bytesLeft < 0) {
            return value;
        }
        return switch (value) {
            case JsonObject object -> filled(schema, object, CrdSchemas.isEmbedded(schema));
            case JsonArray(var items) -> {
                var item = schema.objectOrEmpty("items");
                yield new JsonArray(items.stream().map(one -> filled(item, one)).toList());
            }
            case JsonString _, JsonNumber _, JsonBool _, JsonNull _ -> value;
        };
    }

    private JsonObject filled(JsonObject schema, JsonObject object, boolean isWhole) {
        var members = new LinkedHashMap<>(object.members());
        var properties = schema.objectOrEmpty("properties").members();
        for (var entry : properties.entrySet()) {
            if (entry.getValue() instanceof JsonObject property
                    && property.has("default")
                    && isMissing(property, members.get(entry.getKey()))) {
                var initial = property.memberOrNull("default");
                bytesLeft = JsonLength.leftOf(bytesLeft, entry.getKey(), initial);
                if (bytesLeft < 0) {
                    return object;
                }
                members.put(entry.getKey(), initial);
            }
        }
        members.replaceAll((name, value) -> {
            if (isWhole && StructuralSchema.OBJECT_FIELDS.contains(name)) {
                return value;
            }
            return properties.get(name) instanceof JsonObject property
                    ? filled(property, value)
                    : filled(CrdSchemas.additional(schema), value);
        });
        return new JsonObject(members);
    }

    /// A `null` counts as missing where the schema does not allow it.
    private static boolean isMissing(JsonObject property, @Nullable Json value) {
        return value == null
                || (value instanceof JsonNull && !property.flag("nullable").orElse(false));
    }
}
