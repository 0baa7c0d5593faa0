package dev.berth.core.cel;

import dev.berth.core.cel.library.CelBytes;
import dev.berth.core.cel.library.NullValue;
import dev.berth.core.cel.value.CelTimes;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Converts JSON to CEL values for validation rules, by the schema of the JSON.
public final class SchemaValues {

    private static final Pattern IDENTIFIER = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");
    private static final Set<String> RESERVED =
            Set.of(
                    "true",
                    "false",
                    "null",
                    "in",
                    "as",
                    "break",
                    "const",
                    "continue",
                    "else",
                    "for",
                    "function",
                    "if",
                    "import",
                    "let",
                    "loop",
                    "package",
                    "namespace",
                    "return",
                    "var",
                    "void",
                    "while");

    private SchemaValues() {}

    /// The value of a whole object. Of its metadata, rules can read the names only.
    public static Object ofObject(JsonObject object, JsonObject schema) {
        var metadata = object.objectOrEmpty("metadata");
        var shown = JsonObject.EMPTY;
        for (var name : new String[] {"name", "generateName"}) {
            var value = metadata.member(name);
            if (value.isPresent()) {
                shown = shown.with(name, value.get());
            }
        }
        return of(object.with("metadata", shown), schema);
    }

    public static Object of(Json value, JsonObject schema) {
        return switch (value) {
            case JsonNull _ -> NullValue.NULL;
            case JsonBool(var flag) -> flag;
            case JsonNumber number -> number(number, schema);
            case JsonString(var text) -> text(text, schema.text("format"));
            case JsonArray(var items) -> {
                var item = schema.objectOrEmpty("items");
                var values = new ArrayList<Object>(items.size());
                items.forEach(one -> values.add(of(one, item)));
                yield values;
            }
            case JsonObject object -> members(object, schema);
        };
    }

    private static Object number(JsonNumber number, JsonObject schema) {
        var whole = number.asLong();
        if (whole.isPresent() && !schema.text("type").equals("number")) {
            return whole.getAsLong();
        }
        return number.decimal().map(decimal -> (Object) decimal.doubleValue()).orElse(Double.NaN);
    }

    /// Converts string formats that have a CEL type of their own; malformed strings stay strings.
    private static Object text(String text, String format) {
        return switch (format) {
            case "date-time" -> CelTimes.parseTimestamp(text).orElse(text);
            case "date" -> CelTimes.parseTimestamp(text + "T00:00:00Z").orElse(text);
            case "duration" -> CelTimes.parseDuration(text).map(d -> (Object) d).orElse(text);
            case "byte" -> bytes(text).map(b -> (Object) b).orElse(text);
            default -> text;
        };
    }

    private static Optional<CelBytes> bytes(String text) {
        try {
            return Optional.of(CelBytes.of(Base64.getDecoder().decode(text)));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static Map<String, Object> members(JsonObject object, JsonObject schema) {
        var properties = schema.objectOrEmpty("properties").members();
        var additional = schema.objectOrEmpty("additionalProperties");
        var values = new LinkedHashMap<String, Object>();
        object.members()
                .forEach((name, value) -> {
                    if (properties.get(name) instanceof JsonObject property) {
                        escaped(name).ifPresent(key -> values.put(key, of(value, property)));
                    } else {
                        values.put(name, of(value, additional));
                    }
                });
        return values;
    }

    /// Escapes a field name as a CEL identifier: `a-b` is `a__dash__b`. Fields that cannot be
    /// escaped cannot be read by rules.
    static Optional<String> escaped(String name) {
        if (RESERVED.contains(name)) {
            return Optional.of("__" + name + "__");
        }
        var text =
                name.replace("__", "__underscores__")
                        .replace(".", "__dot__")
                        .replace("-", "__dash__")
                        .replace("/", "__slash__");
        return IDENTIFIER.matcher(text).matches() ? Optional.of(text) : Optional.empty();
    }
}
