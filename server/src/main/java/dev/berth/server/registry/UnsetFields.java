package dev.berth.server.registry;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.Field;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.MapOf;
import dev.berth.schema.SchemaType.Scalar;
import dev.berth.schema.SchemaType.Struct;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Normalizes unset fields as Kubernetes does: empty lists and maps are omitted, unless the field
/// is required; required strings and numbers are written with their zero value.
///
/// Zero values of other fields are kept: the schema does not distinguish those that Go omits from
/// those whose zero is a value, such as `replicas`.
final class UnsetFields {

    private static final String RESOURCE_GROUP = "resource.k8s.io";

    /// Kinds that contain schemas, where an empty list differs from none.
    private static final String DEFINITIONS_GROUP = "apiextensions.k8s.io";

    private final FieldTypes types;

    /// Zero values that objects of a type always have, by the name of the type.
    private final Map<String, JsonObject> zeroValues = new ConcurrentHashMap<>();

    UnsetFields(FieldTypes types) {
        this.types = types;
    }

    /// The object as it is stored; the same instance when nothing changes.
    JsonObject normalized(Resource resource, JsonObject object) {
        return struct(resource)
                .map(type -> new Walk(resource.group().equals(RESOURCE_GROUP)).object(object, type))
                .orElse(object);
    }

    /// The required fields of required structs with their zero values: an object of the kind has
    /// them even if no client sets them. They have no manager until they are changed.
    JsonObject zeroValues(Resource resource) {
        return struct(resource)
                .filter(_ -> resource.group().equals(RESOURCE_GROUP))
                .map(type -> zeroValues.computeIfAbsent(type.name(), _ -> zero(type)))
                .orElse(JsonObject.EMPTY);
    }

    private Optional<Struct> struct(Resource resource) {
        return !resource.isCustom()
                        && !resource.group().equals(DEFINITIONS_GROUP)
                        && types.of(resource, resource.version()) instanceof Struct struct
                ? Optional.of(struct)
                : Optional.empty();
    }

    private static JsonObject zero(Struct type) {
        var object = JsonObject.EMPTY;
        for (var field : type.fields().all()) {
            if (field.required() && field.type() instanceof Struct inner) {
                object = object.with(field.name(), zero(inner));
            } else {
                var value = zero(field);
                object = value.isPresent() ? object.with(field.name(), value.get()) : object;
            }
        }
        return object;
    }

    /// The zero value of a required field; empty for fields that Go writes as null.
    private static Optional<Json> zero(Field field) {
        if (!field.required() || !(field.type() instanceof Scalar scalar)) {
            return Optional.empty();
        }
        return switch (scalar) {
            case STRING -> Optional.of(Json.of(""));
            case BOOLEAN -> Optional.of(Json.of(false));
            case INT32, INT64 -> Optional.of(Json.of(0));
            case QUANTITY -> Optional.of(Json.of("0"));
            case NUMBER, BYTES, TIME, MICRO_TIME, DURATION, INT_OR_STRING, ANY -> Optional.empty();
        };
    }

    /// @param fills true when missing required fields are added
    private record Walk(boolean fills) {

        private Json value(Json value, SchemaType type) {
            return switch (type) {
                case Struct struct when value instanceof JsonObject object ->
                        object(object, struct);
                case MapOf map when value instanceof JsonObject object ->
                        isPlain(map.value()) ? value : members(object, map);
                case ListOf list when value instanceof JsonArray(var items) ->
                        isPlain(list.item()) ? value : items(value, items, list);
                case Struct _, MapOf _, ListOf _, Scalar _ -> value;
            };
        }

        /// True for values that have no fields.
        private static boolean isPlain(SchemaType type) {
            return type instanceof Scalar;
        }

        @SuppressWarnings("ReferenceEquality") // what is the same object has not changed
        private JsonObject object(JsonObject object, Struct type) {
            var result = object;
            for (var at = 0; at < object.size(); at++) {
                var name = object.nameAt(at);
                var field = type.fields().named(name);
                if (field == null) {
                    continue;
                }
                var old = object.valueAt(at);
                var now = value(old, field.type());
                if (!field.required() && isUnset(now, field.type())) {
                    result = result.without(name);
                } else if (now != old) {
                    result = result.with(name, now);
                }
            }
            return fills ? filled(result, type) : result;
        }

        private static boolean isUnset(Json value, SchemaType type) {
            return switch (type) {
                case ListOf _ ->
                        value instanceof JsonNull
                                || (value instanceof JsonArray(var items) && items.isEmpty());
                case MapOf _ ->
                        value instanceof JsonNull
                                || (value instanceof JsonObject map && map.isEmpty());
                case Struct _, Scalar _ -> false;
            };
        }

        private static JsonObject filled(JsonObject object, Struct type) {
            var result = object;
            for (var field : type.fields().all()) {
                if (field.required() && !object.has(field.name())) {
                    var value = zero(field);
                    result = value.isPresent() ? result.with(field.name(), value.get()) : result;
                }
            }
            return result;
        }

        @SuppressWarnings("ReferenceEquality") // what is the same object has not changed
        private JsonObject members(JsonObject object, MapOf type) {
            var result = object;
            for (var at = 0; at < object.size(); at++) {
                var now = value(object.valueAt(at), type.value());
                if (now != object.valueAt(at)) {
                    result = result.with(object.nameAt(at), now);
                }
            }
            return result;
        }

        @SuppressWarnings("ReferenceEquality") // what is the same object has not changed
        private Json items(Json array, List<Json> items, ListOf type) {
            var result = new ArrayList<Json>(items.size());
            var changes = false;
            for (var item : items) {
                var now = value(item, type.item());
                changes |= now != item;
                result.add(now);
            }
            return changes ? new JsonArray(result) : array;
        }
    }
}
