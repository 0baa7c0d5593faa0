package dev.berth.server.schema;

import com.google.re2j.Pattern;
import dev.berth.core.admission.FieldError;
import dev.berth.core.text.GoText;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Judges values by a schema, in the words of Kubernetes.
final class SchemaRules {

    /// Where Kubernetes does not say where.
    private static final FieldPath NOWHERE = FieldPath.of("<nil>");

    private final Map<String, Pattern> patterns;
    private final Set<FieldError> problems = new LinkedHashSet<>();

    /// How much was found to be right: of several ways to be wrong the closest is told.
    private int right;

    SchemaRules(Map<String, Pattern> patterns) {
        this.patterns = patterns;
    }

    List<FieldError> problems() {
        return List.copyOf(problems);
    }

    void value(JsonObject schema, Json value, String path) {
        type(schema, value, path);
        if (value instanceof JsonNull) {
            return;
        }
        options(schema, value, path);
        switch (value) {
            case JsonString(var text) -> string(schema, text, path);
            case JsonNumber number -> number(schema, number, path);
            case JsonArray(var items) -> list(schema, items, path);
            case JsonObject object -> object(schema, object, path);
            case JsonBool _, JsonNull _ -> {}
        }
        combinations(schema, value, path);
    }

    private void type(JsonObject schema, Json value, String path) {
        var expected =
                schema.flag("x-kubernetes-int-or-string").orElse(false)
                        ? "integer,string"
                        : schema.text("type");
        var found = typeOf(value);
        var nullable = schema.flag("nullable").orElse(false);
        if (expected.isEmpty()
                || expected.equals(found)
                || (expected.equals("number") && found.equals("integer"))
                || (expected.equals("integer,string") && expected.contains(found))
                || (nullable && value instanceof JsonNull)) {
            right++;
            return;
        }
        wrongType(path, expected, found);
    }

    private void wrongType(String path, String expected, String found) {
        problems.add(
                new FieldError(
                        FieldError.Type.TYPE_INVALID,
                        place(path),
                        Optional.of(Json.of(found)),
                        "%s in body must be of type %s: %s"
                                .formatted(path, expected, GoText.quote(found))));
    }

    private static String typeOf(Json value) {
        return switch (value) {
            case JsonBool _ -> "boolean";
            case JsonNumber number -> isWhole(number) ? "integer" : "number";
            case JsonObject _, JsonArray _, JsonString _, JsonNull _ -> value.kindName();
        };
    }

    private static boolean isWhole(JsonNumber number) {
        return number.asLong().isPresent()
                || number.decimal()
                        .filter(decimal -> decimal.stripTrailingZeros().scale() <= 0)
                        .isPresent();
    }

    /// `enum`.
    private void options(JsonObject schema, Json value, String path) {
        var options = schema.items("enum");
        if (options.isEmpty() || options.contains(value)) {
            right++;
            return;
        }
        var texts =
                options.stream()
                        .map(one -> one instanceof JsonString(var text) ? text : compact(one))
                        .map(GoText::quote)
                        .toList();
        problems.add(
                new FieldError(
                        FieldError.Type.NOT_SUPPORTED,
                        place(path),
                        Optional.of(value),
                        "supported values: " + String.join(", ", texts)));
    }

    private static String compact(Json value) {
        return JsonWriter.compact(value);
    }

    private void string(JsonObject schema, String text, String path) {
        right++;
        var length = text.codePointCount(0, text.length());
        schema.number("maxLength")
                .ifPresent(max -> {
                    if (length > max) {
                        problems.add(FieldError.tooLong(place(path), (int) max));
                    }
                });
        schema.number("minLength")
                .ifPresent(min -> {
                    if (length < min) {
                        invalid(path, Json.of(text), "at least " + min + " chars long", true);
                    }
                });
        schema.string("pattern")
                .ifPresent(pattern -> {
                    var compiled = patterns.get(pattern);
                    if (compiled != null && !compiled.matcher(text).find()) {
                        invalid(path, Json.of(text), "should match '" + pattern + "'", false);
                    }
                });
        var format = schema.text("format");
        if (schema.text("type").equals("string") && !SchemaFormats.matches(format, text)) {
            wrongType(path, format, text);
        }
    }

    private void invalid(String path, Json value, String what, boolean be) {
        var detail = path + " in body " + (be ? "should be " : "") + what;
        problems.add(FieldError.invalid(place(path), value, detail));
    }

    private void number(JsonObject schema, JsonNumber number, String path) {
        right++;
        if (schema.text("format").equals("int32")
                && schema.text("type").equals("integer")
                && number.asLong().stream().noneMatch(is -> is == (int) is)) {
            somewhere("Checked value must be of type integer with format int32 in " + path);
        }
        var is = number.decimal();
        if (is.isEmpty()) {
            return;
        }
        var value = is.get();
        limit(schema, "maximum")
                .ifPresent(max -> {
                    var open = schema.flag("exclusiveMaximum").orElse(false);
                    if (value.compareTo(max) > (open ? -1 : 0)) {
                        var than = open ? "less than " : "less than or equal to ";
                        invalid(path, number, than + plain(max), true);
                    }
                });
        limit(schema, "minimum")
                .ifPresent(min -> {
                    var open = schema.flag("exclusiveMinimum").orElse(false);
                    if (value.compareTo(min) < (open ? 1 : 0)) {
                        var than = open ? "greater than " : "greater than or equal to ";
                        invalid(path, number, than + plain(min), true);
                    }
                });
        limit(schema, "multipleOf")
                .filter(factor -> factor.signum() > 0)
                .filter(factor -> value.remainder(factor).signum() != 0)
                .ifPresent(factor -> invalid(path, number, "a multiple of " + plain(factor), true));
    }

    private static Optional<BigDecimal> limit(JsonObject schema, String name) {
        return schema.members().get(name) instanceof JsonNumber number
                ? number.decimal()
                : Optional.empty();
    }

    private static String plain(BigDecimal limit) {
        return limit.stripTrailingZeros().toPlainString();
    }

    private void list(JsonObject schema, List<Json> items, String path) {
        right++;
        schema.number("maxItems")
                .ifPresent(max -> {
                    if (items.size() > max) {
                        problems.add(FieldError.tooMany(place(path), items.size(), (int) max));
                    }
                });
        schema.number("minItems")
                .ifPresent(min -> {
                    if (items.size() < min) {
                        var what = "should have at least " + min + " items";
                        invalid(path, Json.of(items.size()), what, false);
                    }
                });
        if (schema.members().get("items") instanceof JsonObject item) {
            for (var i = 0; i < items.size(); i++) {
                value(item, items.get(i), path + "[" + i + "]");
            }
        }
    }

    private void object(JsonObject schema, JsonObject object, String path) {
        right++;
        var size = object.members().size();
        schema.number("maxProperties")
                .ifPresent(max -> {
                    if (size > max) {
                        problems.add(FieldError.tooMany(place(path), size, (int) max));
                    }
                });
        schema.number("minProperties")
                .ifPresent(min -> {
                    if (size < min) {
                        var what = "should have at least " + min + " properties";
                        invalid(path, Json.of(size), what, false);
                    }
                });
        for (var name : schema.strings("required")) {
            if (object.members().containsKey(name)) {
                right++;
            } else {
                problems.add(FieldError.required(place(child(path, name))));
            }
        }
        var properties = schema.objectOrEmpty("properties").members();
        object.members()
                .forEach((name, value) -> {
                    if (properties.get(name) instanceof JsonObject property) {
                        value(property, value, child(path, name));
                    } else {
                        value(CrdSchemas.additional(schema), value, child(path, name));
                    }
                });
    }

    private static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private void combinations(JsonObject schema, Json value, String path) {
        var anyOf = schema.objects("anyOf");
        if (!anyOf.isEmpty()) {
            var tries = anyOf.stream().map(one -> attempt(one, value, path)).toList();
            if (tries.stream().noneMatch(SchemaRules::isFine)) {
                somewhere(quoted(path) + " must validate at least one schema (anyOf)");
                problems.addAll(best(tries).problems);
            }
        }
        var oneOf = schema.objects("oneOf");
        if (!oneOf.isEmpty()) {
            var tries = oneOf.stream().map(one -> attempt(one, value, path)).toList();
            var fine = tries.stream().filter(SchemaRules::isFine).count();
            if (fine != 1) {
                var found = fine == 0 ? "none valid" : fine + " valid alternatives";
                somewhere(
                        quoted(path)
                                + " must validate one and only one schema (oneOf). Found "
                                + found);
            }
            if (fine == 0) {
                problems.addAll(best(tries).problems);
            }
        }
        var allOf = schema.objects("allOf");
        var tries = allOf.stream().map(one -> attempt(one, value, path)).toList();
        var fine = tries.stream().filter(SchemaRules::isFine).count();
        tries.forEach(one -> problems.addAll(one.problems));
        if (fine != allOf.size()) {
            var none = fine == 0 ? ". None validated" : "";
            somewhere(quoted(path) + " must validate all the schemas (allOf)" + none);
        }
        schema.object("not")
                .filter(not -> attempt(not, value, path).isFine())
                .ifPresent(not -> somewhere(quoted(path) + " must not validate the schema (not)"));
    }

    private SchemaRules attempt(JsonObject schema, Json value, String path) {
        var rules = new SchemaRules(patterns);
        rules.value(schema, value, path);
        right += rules.right;
        return rules;
    }

    private boolean isFine() {
        return problems.isEmpty();
    }

    /// The first of those that got furthest.
    private static SchemaRules best(List<SchemaRules> tries) {
        var ranked = new ArrayList<>(tries);
        ranked.sort((a, b) -> Integer.compare(b.right, a.right));
        return ranked.getFirst();
    }

    private static String quoted(String path) {
        return GoText.quote(path);
    }

    private void somewhere(String sentence) {
        problems.add(FieldError.invalid(NOWHERE, Json.of(""), sentence));
    }

    private static FieldPath place(String path) {
        return path.isEmpty() ? NOWHERE : FieldPath.of(path);
    }
}
