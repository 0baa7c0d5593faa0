package dev.berth.server.schema;

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

/// Checks that a tree has the fields and types of its kind, and tidies it on the way.
///
/// What is tidy already is not copied: most objects come out as the very tree that went in, and the
/// check costs one look-up for each field.
public final class SchemaFieldCheck {

    /// More unknown fields than these are dropped without a word.
    private static final int MAX_REPORTED = 100;

    /// What came of a check.
    ///
    /// @param object without fields that are not known and without `null`s, quantities, times and
    ///   bytes in their usual spelling
    /// @param unknown a sentence about each field that is not known; a strict reader refuses them,
    ///   others go on
    /// @param fault why the object cannot be used at all, when so: the first value of a wrong type
    public record Checked(JsonObject object, List<String> unknown, Optional<String> fault) {
        public Checked {
            unknown = List.copyOf(unknown);
        }
    }

    private final SchemaPath trail = new SchemaPath();
    private final List<String> unknown = new ArrayList<>();
    private @Nullable String fault;

    private SchemaFieldCheck() {}

    public static Checked check(Struct type, JsonObject object) {
        var check = new SchemaFieldCheck();
        var tidy = check.struct(type, object);
        return new Checked(tidy, check.unknown, Optional.ofNullable(check.fault));
    }

    /// How a request is refused whose object is not usable, or not strictly so.
    public static String refusal(String kind, String version, String fault) {
        return "%s in version \"%s\" cannot be handled as a %s: %s"
                .formatted(kind, version, kind, fault);
    }

    /// How strict reading words the fields that it does not know or that came twice.
    public static String strictFault(List<String> sentences) {
        return "strict decoding error: " + String.join(", ", sentences);
    }

    private JsonObject struct(Struct type, JsonObject object) {
        var fields = type.fields();
        Map<String, Json> changed = null;
        for (var entry : object.members().entrySet()) {
            var name = entry.getKey();
            var value = entry.getValue();
            var field = fields.named(name);
            var tidy = field == null ? undescribed(type, name, value) : member(type, field, value);
            if (changed == null && isOther(tidy, value)) {
                changed = before(object, name);
            }
            if (tidy != null && changed != null) {
                changed.put(name, tidy);
            }
        }
        return changed == null ? object : new JsonObject(changed);
    }

    /// Null when the field goes.
    private @Nullable Json undescribed(Struct type, String name, Json value) {
        if (type.open()) {
            return value;
        }
        if (unknown.size() < MAX_REPORTED) {
            unknown.add("unknown field \"" + trail.pathOf(name) + "\"");
        }
        return null;
    }

    /// Null when the field goes.
    private @Nullable Json member(Struct owner, Field field, Json value) {
        if (value instanceof JsonNull) {
            return null;
        }
        trail.enterField(owner, field.name());
        var tidy = value(field.type(), value);
        trail.leave();
        return tidy;
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
            Json tidy;
            if (value instanceof JsonNull) {
                tidy = zero(item, value);
            } else if (item == Scalar.STRING && value instanceof JsonString) {
                tidy = value;
            } else {
                trail.enterPlace(i);
                tidy = value(item, value);
                trail.leave();
            }
            if (changed == null && isOther(tidy, value)) {
                changed = new ArrayList<>(items);
            }
            if (changed != null) {
                changed.set(i, tidy);
            }
        }
        return changed == null ? array : new JsonArray(changed);
    }

    private Json map(SchemaType type, JsonObject object) {
        Map<String, Json> changed = null;
        for (var entry : object.members().entrySet()) {
            var value = entry.getValue();
            Json tidy;
            if (value instanceof JsonNull) {
                tidy = zero(type, value);
            } else if (type == Scalar.STRING && value instanceof JsonString) {
                tidy = value;
            } else {
                trail.enterKey(entry.getKey());
                tidy = value(type, value);
                trail.leave();
            }
            if (changed == null && isOther(tidy, value)) {
                changed = before(object, entry.getKey());
            }
            if (changed != null) {
                changed.put(entry.getKey(), tidy);
            }
        }
        return changed == null ? object : new JsonObject(changed);
    }

    /// True when tidying made something new. Not whether it is equal, which would cost a
    /// comparison.
    @SuppressWarnings("ReferenceEquality")
    private static boolean isOther(@Nullable Json tidy, Json value) {
        return tidy != value;
    }

    /// The members up to one of them.
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

    /// What a `null` inside of a list or map stands for.
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
            case BYTES, TIME, MICRO_TIME, DURATION -> spelled(type, value);
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
            var usual = EncodedText.quantity(text);
            return value instanceof JsonString(var is) && is.equals(usual) ? value : Json.of(usual);
        } catch (EncodedText.Wrong e) {
            return report(e.words(), value);
        }
    }

    private Json spelled(Scalar type, Json value) {
        if (!(value instanceof JsonString(var text))) {
            return type == Scalar.BYTES
                    ? wrong(value.kindName(), type, value)
                    : report(unmarshal(value.kindName(), "value of type string"), value);
        }
        try {
            var usual =
                    switch (type) {
                        case TIME -> EncodedText.time(text);
                        case MICRO_TIME -> EncodedText.microTime(text);
                        case DURATION -> EncodedText.duration(text);
                        default -> EncodedText.bytes(text);
                    };
            return usual.equals(text) ? value : Json.of(usual);
        } catch (EncodedText.Wrong e) {
            return report(e.words(), value);
        }
    }

    /// Reports that there is something of another type.
    private Json wrong(String found, SchemaType expected, Json value) {
        if (fault == null) {
            fault = unmarshal(found, trail.slot() + " of type " + GoStructNames.of(expected));
        }
        return value;
    }

    private Json report(String sentence, Json value) {
        if (fault == null) {
            fault = sentence;
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
