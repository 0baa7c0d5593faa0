package dev.berth.node.driver;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/// Typed access to the fields of a driver's opaque parameters.
///
/// The decoder reads each field it supports; fields that were not read are rejected in the end. A
/// value of the wrong type is recorded as a problem and reads as absent, so that one pass finds all
/// problems.
public final class ParameterFields {

    private final JsonObject object;
    private final String path;
    private final List<String> problems;
    private final Set<String> knownNames = new HashSet<>();
    private final List<ParameterFields> nested = new ArrayList<>();

    ParameterFields(JsonObject object, String path, List<String> problems) {
        this.object = object;
        this.path = path;
        this.problems = problems;
    }

    void finish() {
        for (var name : object.names()) {
            if (!knownNames.contains(name)) {
                problems.add("unknown field \"%s\"".formatted(at(name)));
            }
        }
        nested.forEach(ParameterFields::finish);
    }

    /// All fields, whatever their names.
    JsonObject everything() {
        knownNames.addAll(object.names());
        return object;
    }

    public Optional<String> text(String name) {
        return member(
                name,
                "a string",
                value ->
                        value instanceof Json.JsonString(var text)
                                ? Optional.of(text)
                                : Optional.empty());
    }

    public Optional<Boolean> flag(String name) {
        return member(
                name,
                "true or false",
                value ->
                        value instanceof Json.JsonBool(var flag)
                                ? Optional.of(flag)
                                : Optional.empty());
    }

    public OptionalLong number(String name) {
        return member(name, "a whole number", ParameterFields::whole)
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    /// A number within bounds, both inclusive.
    public OptionalLong number(String name, long min, long max) {
        var number = number(name);
        if (number.isPresent() && (number.getAsLong() < min || number.getAsLong() > max)) {
            refuse(name, "%d is not between %d and %d".formatted(number.getAsLong(), min, max));
            return OptionalLong.empty();
        }
        return number;
    }

    private static Optional<Long> whole(Json value) {
        return value instanceof JsonNumber number && number.asLong().isPresent()
                ? Optional.of(number.asLong().getAsLong())
                : Optional.empty();
    }

    /// A quantity such as `80Gi`.
    public Optional<Quantity> quantity(String name) {
        return member(
                name,
                "a quantity",
                value ->
                        switch (value) {
                            case Json.JsonString(var text) -> Quantity.tryParse(text);
                            case JsonNumber(var literal) -> Quantity.tryParse(literal);
                            default -> Optional.empty();
                        });
    }

    /// One of several allowed values.
    ///
    /// @param values allowed values, compared by [Object#toString]
    public <W> Optional<W> oneOf(String name, List<W> values) {
        var text = text(name);
        var value =
                text.flatMap(given ->
                        values.stream().filter(one -> one.toString().equals(given)).findFirst());
        if (text.isPresent() && value.isEmpty()) {
            refuse(name, "\"%s\" is not one of %s".formatted(text.get(), values));
        }
        return value;
    }

    /// A nested object, decoded by a function that reads all its fields.
    public <T> Optional<T> object(String name, Function<ParameterFields, T> read) {
        return member(
                name,
                "an object",
                value ->
                        value instanceof JsonObject inner
                                ? Optional.of(read.apply(open(inner, at(name))))
                                : Optional.empty());
    }

    public List<String> texts(String name) {
        return list(
                name,
                "a string",
                (_, value) ->
                        value instanceof Json.JsonString(var text)
                                ? Optional.of(text)
                                : Optional.empty());
    }

    /// A list of objects.
    public <T> List<T> objects(String name, Function<ParameterFields, T> read) {
        return list(
                name,
                "an object",
                (elementPath, value) ->
                        value instanceof JsonObject inner
                                ? Optional.of(read.apply(open(inner, elementPath)))
                                : Optional.empty());
    }

    /// Rejects a field for a driver-specific reason.
    public void refuse(String name, String reason) {
        problems.add(at(name) + ": " + reason);
    }

    /// Rejects the parameters as a whole.
    public void refuse(String reason) {
        object.names().forEach(knownNames::add);
        problems.add(path.isEmpty() ? reason : path + ": " + reason);
    }

    private ParameterFields open(JsonObject inner, String elementPath) {
        var fields = new ParameterFields(inner, elementPath, problems);
        nested.add(fields);
        return fields;
    }

    private interface Item<T> {
        Optional<T> read(String elementPath, Json value);
    }

    private <T> List<T> list(String name, String expected, Item<T> item) {
        var items =
                member(
                        name,
                        "a list",
                        value ->
                                value instanceof Json.JsonArray(var all)
                                        ? Optional.of(all)
                                        : Optional.empty());
        var read = new ArrayList<T>();
        for (var i = 0; i < items.map(List::size).orElse(0); i++) {
            var elementPath = "%s[%d]".formatted(at(name), i);
            var value = items.get().get(i);
            var one = item.read(elementPath, value);
            one.ifPresent(read::add);
            if (one.isEmpty()) {
                problems.add(
                        "%s: expected %s, found %s"
                                .formatted(elementPath, expected, describe(value)));
            }
        }
        return read;
    }

    private <T> Optional<T> member(String name, String expected, Function<Json, Optional<T>> read) {
        knownNames.add(name);
        var value = object.member(name);
        var result = value.flatMap(read);
        if (value.isPresent() && result.isEmpty()) {
            refuse(name, "expected %s, found %s".formatted(expected, describe(value.get())));
        }
        return result;
    }

    private static String describe(Json value) {
        return value instanceof Json.JsonString(var text)
                ? "\"" + text + "\""
                : value instanceof JsonNumber(var literal) ? literal : value.kindName();
    }

    private String at(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
