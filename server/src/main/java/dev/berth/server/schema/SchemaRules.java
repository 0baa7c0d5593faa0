package dev.berth.server.schema;

import com.google.re2j.Pattern;
import dev.berth.core.admission.field.FieldError;
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

/// Validates values against a structural schema, with the messages of Kubernetes.
final class SchemaRules {

    /// Path of errors for which Kubernetes reports none.
    private static final FieldPath NO_PATH = FieldPath.of("<nil>");

    private final Map<String, Pattern> patterns;
    private final Set<FieldError> problems = new LinkedHashSet<>();

    /// Number of passed checks: of several failed alternatives the closest one is reported.
    private int passed;

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
            passed++;
            return;
        }
        wrongType(path, expected, found);
    }

    private void wrongType(String path, String expected, String found) {
        problems.add(
                new FieldError(
                        FieldError.Type.TYPE_INVALID,
                        fieldPath(path),
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

    /// Checks `enum`.
    private void options(JsonObject schema, Json value, String path) {
        var options = schema.items("enum");
        if (options.isEmpty() || options.contains(value)) {
            passed++;
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
                        fieldPath(path),
                        Optional.of(value),
                        "supported values: " + String.join(", ", texts)));
    }

    private static String compact(Json value) {
        return JsonWriter.compact(value);
    }

    private void string(JsonObject schema, String text, String path) {
        passed++;
        var length = text.codePointCount(0, text.length());
        schema.number("maxLength")
                .ifPresent(max -> {
                    if (length > max) {
                        problems.add(FieldError.tooLong(fieldPath(path), (int) max));
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
        problems.add(FieldError.invalid(fieldPath(path), value, detail));
    }

    private void number(JsonObject schema, JsonNumber number, String path) {
        passed++;
        if (schema.text("format").equals("int32")
                && schema.text("type").equals("integer")
                && number.asLong().stream().noneMatch(is -> is == (int) is)) {
            addWithoutPath("Checked value must be of type integer with format int32 in " + path);
        }
        var is = number.decimal();
        if (is.isEmpty()) {
            return;
        }
        var value = is.get();
        bound(schema, "maximum")
                .ifPresent(max -> {
                    var open = schema.flag("exclusiveMaximum").orElse(false);
                    if (value.compareTo(max) > (open ? -1 : 0)) {
                        var than = open ? "less than " : "less than or equal to ";
                        invalid(path, number, than + plain(max), true);
                    }
                });
        bound(schema, "minimum")
                .ifPresent(min -> {
                    var open = schema.flag("exclusiveMinimum").orElse(false);
                    if (value.compareTo(min) < (open ? 1 : 0)) {
                        var than = open ? "greater than " : "greater than or equal to ";
                        invalid(path, number, than + plain(min), true);
                    }
                });
        bound(schema, "multipleOf")
                .filter(factor -> factor.signum() > 0)
                .filter(factor -> value.remainder(factor).signum() != 0)
                .ifPresent(factor -> invalid(path, number, "a multiple of " + plain(factor), true));
    }

    private static Optional<BigDecimal> bound(JsonObject schema, String name) {
        return schema.members().get(name) instanceof JsonNumber number
                ? number.decimal()
                : Optional.empty();
    }

    private static String plain(BigDecimal bound) {
        return bound.stripTrailingZeros().toPlainString();
    }

    private void list(JsonObject schema, List<Json> items, String path) {
        passed++;
        schema.number("maxItems")
                .ifPresent(max -> {
                    if (items.size() > max) {
                        problems.add(FieldError.tooMany(fieldPath(path), items.size(), (int) max));
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
        passed++;
        var size = object.members().size();
        schema.number("maxProperties")
                .ifPresent(max -> {
                    if (size > max) {
                        problems.add(FieldError.tooMany(fieldPath(path), size, (int) max));
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
                passed++;
            } else {
                problems.add(FieldError.required(fieldPath(child(path, name))));
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
            var attempts = anyOf.stream().map(one -> attempt(one, value, path)).toList();
            if (attempts.stream().noneMatch(SchemaRules::isValid)) {
                addWithoutPath(quoted(path) + " must validate at least one schema (anyOf)");
                problems.addAll(best(attempts).problems);
            }
        }
        var oneOf = schema.objects("oneOf");
        if (!oneOf.isEmpty()) {
            var attempts = oneOf.stream().map(one -> attempt(one, value, path)).toList();
            var valid = attempts.stream().filter(SchemaRules::isValid).count();
            if (valid != 1) {
                var found = valid == 0 ? "none valid" : valid + " valid alternatives";
                addWithoutPath(
                        quoted(path)
                                + " must validate one and only one schema (oneOf). Found "
                                + found);
            }
            if (valid == 0) {
                problems.addAll(best(attempts).problems);
            }
        }
        var allOf = schema.objects("allOf");
        var attempts = allOf.stream().map(one -> attempt(one, value, path)).toList();
        var valid = attempts.stream().filter(SchemaRules::isValid).count();
        attempts.forEach(one -> problems.addAll(one.problems));
        if (valid != allOf.size()) {
            var none = valid == 0 ? ". None validated" : "";
            addWithoutPath(quoted(path) + " must validate all the schemas (allOf)" + none);
        }
        schema.object("not")
                .filter(not -> attempt(not, value, path).isValid())
                .ifPresent(not ->
                        addWithoutPath(quoted(path) + " must not validate the schema (not)"));
    }

    private SchemaRules attempt(JsonObject schema, Json value, String path) {
        var rules = new SchemaRules(patterns);
        rules.value(schema, value, path);
        passed += rules.passed;
        return rules;
    }

    private boolean isValid() {
        return problems.isEmpty();
    }

    /// The first of the alternatives with the most passed checks.
    private static SchemaRules best(List<SchemaRules> attempts) {
        var ranked = new ArrayList<>(attempts);
        ranked.sort((a, b) -> Integer.compare(b.passed, a.passed));
        return ranked.getFirst();
    }

    private static String quoted(String path) {
        return GoText.quote(path);
    }

    private void addWithoutPath(String sentence) {
        problems.add(FieldError.invalid(NO_PATH, Json.of(""), sentence));
    }

    private static FieldPath fieldPath(String path) {
        return path.isEmpty() ? NO_PATH : FieldPath.of(path);
    }
}
