package dev.berth.schema.check;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.Field;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.MapOf;
import dev.berth.schema.SchemaType.Scalar;
import dev.berth.schema.SchemaType.Struct;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Checks that an object has the fields and types of its kind; prunes unknown fields and
/// canonicalizes values.
///
/// A canonical object is not copied: most objects are returned as they are, and the check costs one
/// look-up per field.
public final class SchemaFieldCheck {

    /// Maximum number of reported unknown fields; further ones are dropped silently.
    private static final int MAX_REPORTED = 100;

    /// Result of a check.
    ///
    /// @param object without unknown fields and `null`s; quantities, times and bytes in canonical
    ///   form
    /// @param unknown a message for each unknown field; strict field validation rejects them,
    ///   others ignore them
    /// @param error decoding error that makes the object unusable: the first value of a wrong type
    public record CheckResult(JsonObject object, List<String> unknown, Optional<String> error) {
        public CheckResult {
            unknown = List.copyOf(unknown);
        }
    }

    private final SchemaPath path = new SchemaPath();
    private final List<String> unknown = new ArrayList<>();
    private @Nullable String error;

    private SchemaFieldCheck() {}

    public static CheckResult check(Struct type, JsonObject object) {
        var check = new SchemaFieldCheck();
        var canonical = check.struct(type, object);
        return new CheckResult(canonical, check.unknown, Optional.ofNullable(check.error));
    }

    private JsonObject struct(Struct type, JsonObject object) {
        var fields = type.fields();
        Map<String, Json> changed = null;
        for (var entry : object.members().entrySet()) {
            var name = entry.getKey();
            var value = entry.getValue();
            var field = fields.named(name);
            var canonical =
                    field == null ? undescribed(type, name, value) : member(type, field, value);
            if (changed == null && isOther(canonical, value)) {
                changed = before(object, name);
            }
            if (canonical != null && changed != null) {
                changed.put(name, canonical);
            }
        }
        return changed == null ? object : new JsonObject(changed);
    }

    /// Null if the field is pruned.
    private @Nullable Json undescribed(Struct type, String name, Json value) {
        if (type.open()) {
            return value;
        }
        if (unknown.size() < MAX_REPORTED) {
            unknown.add("unknown field \"" + path.pathOf(name) + "\"");
        }
        return null;
    }

    /// Null if the field is removed.
    private @Nullable Json member(Struct owner, Field field, Json value) {
        if (value instanceof JsonNull) {
            return null;
        }
        path.enterField(owner, field.name());
        var canonical = value(field.type(), value);
        path.leave();
        return canonical;
    }

    private Json value(SchemaType type, Json value) {
        return switch (type) {
            case Struct struct ->
                    value instanceof JsonObject object
                            ? struct(struct, object)
                            : wrong(value.kindName(), type, value);
            case ListOf list ->
                    value instanceof JsonArray array
                            ? list(list.item(), array)
                            : wrong(value.kindName(), type, value);
            case MapOf map ->
                    value instanceof JsonObject object
                            ? map(map.value(), object)
                            : wrong(value.kindName(), type, value);
            case Scalar scalar -> scalar(scalar, value);
        };
    }

    private Json list(SchemaType item, JsonArray array) {
        var items = array.items();
        List<Json> changed = null;
        for (var i = 0; i < items.size(); i++) {
            var value = items.get(i);
            Json canonical;
            if (value instanceof JsonNull) {
                canonical = zero(item, value);
            } else if (item == Scalar.STRING && value instanceof JsonString) {
                canonical = value;
            } else {
                path.enterIndex(i);
                canonical = value(item, value);
                path.leave();
            }
            if (changed == null && isOther(canonical, value)) {
                changed = new ArrayList<>(items);
            }
            if (changed != null) {
                changed.set(i, canonical);
            }
        }
        return changed == null ? array : new JsonArray(changed);
    }

    private Json map(SchemaType type, JsonObject object) {
        Map<String, Json> changed = null;
        for (var entry : object.members().entrySet()) {
            var value = entry.getValue();
            Json canonical;
            if (value instanceof JsonNull) {
                canonical = zero(type, value);
            } else if (type == Scalar.STRING && value instanceof JsonString) {
                canonical = value;
            } else {
                path.enterKey(entry.getKey());
                canonical = value(type, value);
                path.leave();
            }
            if (changed == null && isOther(canonical, value)) {
                changed = before(object, entry.getKey());
            }
            if (changed != null) {
                changed.put(entry.getKey(), canonical);
            }
        }
        return changed == null ? object : new JsonObject(changed);
    }

    /// True if canonicalization made a new value. Compares references, since equality would cost a
    /// full comparison.
    @SuppressWarnings("ReferenceEquality")
    private static boolean isOther(@Nullable Json canonical, Json value) {
        return canonical != value;
    }

    /// The members before one of them.
    private static Map<String, Json> before(JsonObject object, String name) {
        var some = new LinkedHashMap<String, Json>();
        for (var entry : object.members().entrySet()) {
            if (entry.getKey().equals(name)) {
                break;
            }
            some.put(entry.getKey(), entry.getValue());
        }
        return some;
    }

    /// The zero value that a `null` in a list or map decodes to.
    private static Json zero(SchemaType type, Json nothing) {
        return switch (type) {
            case Struct _, MapOf _ -> JsonObject.EMPTY;
            case ListOf _ -> JsonArray.EMPTY;
            case Scalar scalar ->
                    switch (scalar) {
                        case STRING, BYTES -> Json.of("");
                        case BOOLEAN -> Json.of(false);
                        case INT32, INT64, NUMBER, INT_OR_STRING -> Json.of(0);
                        case QUANTITY -> Json.of("0");
                        case DURATION -> Json.of("0s");
                        case TIME, MICRO_TIME, ANY -> nothing;
                    };
        };
    }

    private Json scalar(Scalar type, Json value) {
        return switch (type) {
            case STRING ->
                    value instanceof JsonString ? value : wrong(value.kindName(), type, value);
            case BOOLEAN ->
                    value instanceof JsonBool ? value : wrong(value.kindName(), type, value);
            case INT32 -> integer(type, Integer.MIN_VALUE, Integer.MAX_VALUE, value);
            case INT64 -> integer(type, Long.MIN_VALUE, Long.MAX_VALUE, value);
            case NUMBER ->
                    value instanceof JsonNumber ? value : wrong(value.kindName(), type, value);
            case INT_OR_STRING -> intOrString(value);
            case QUANTITY -> quantity(value);
            case BYTES, TIME, MICRO_TIME, DURATION -> encodedText(type, value);
            case ANY -> value;
        };
    }

    private Json integer(Scalar type, long min, long max, Json value) {
        if (!(value instanceof JsonNumber number)) {
            return wrong(value.kindName(), type, value);
        }
        var is = number.asLong();
        return is.isPresent() && is.getAsLong() >= min && is.getAsLong() <= max
                ? value
                : wrong("number " + shortened(number.literal()), type, value);
    }

    private Json intOrString(Json value) {
        if (value instanceof JsonString) {
            return value;
        }
        if (!(value instanceof JsonNumber number)) {
            return report(unmarshal(value.kindName(), "value of type int32"), value);
        }
        var is = number.asLong();
        return is.isPresent() && is.getAsLong() == (int) is.getAsLong()
                ? value
                : report(
                        unmarshal("number " + shortened(number.literal()), "value of type int32"),
                        value);
    }

    private Json quantity(Json value) {
        var text =
                switch (value) {
                    case JsonString(var string) -> string;
                    case JsonNumber(var literal) -> literal;
                    case JsonObject _ -> "{}";
                    case JsonArray _ -> "[]";
                    case JsonBool _, JsonNull _ -> value.kindName();
                };
        try {
            var canonical = EncodedText.quantity(text);
            return value instanceof JsonString(var is) && is.equals(canonical)
                    ? value
                    : Json.of(canonical);
        } catch (EncodedText.FormatException e) {
            return report(e.text(), value);
        }
    }

    private Json encodedText(Scalar type, Json value) {
        if (!(value instanceof JsonString(var text))) {
            return type == Scalar.BYTES
                    ? wrong(value.kindName(), type, value)
                    : report(unmarshal(value.kindName(), "value of type string"), value);
        }
        try {
            var canonical =
                    switch (type) {
                        case TIME -> EncodedText.time(text);
                        case MICRO_TIME -> EncodedText.microTime(text);
                        case DURATION -> EncodedText.duration(text);
                        default -> EncodedText.bytes(text);
                    };
            return canonical.equals(text) ? value : Json.of(canonical);
        } catch (EncodedText.FormatException e) {
            return report(e.text(), value);
        }
    }

    /// Reports a value of a wrong type.
    private Json wrong(String found, SchemaType expected, Json value) {
        if (error == null) {
            error = unmarshal(found, path.goLocation() + " of type " + GoStructNames.of(expected));
        }
        return value;
    }

    private Json report(String sentence, Json value) {
        if (error == null) {
            error = sentence;
        }
        return value;
    }

    private static String unmarshal(String found, String into) {
        return "json: cannot unmarshal " + found + " into Go " + into;
    }

    private static String shortened(String literal) {
        var max = 40;
        return literal.length() <= max ? literal : literal.substring(0, max) + "…";
    }
}
