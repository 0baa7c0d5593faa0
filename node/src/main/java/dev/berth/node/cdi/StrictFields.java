package dev.berth.node.cdi;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/// Reads the fields of a JSON object and collects type errors and unknown fields.
final class StrictFields {

    private static final long MAX_UNSIGNED_INT = 0xffff_ffffL;

    private final JsonObject object;
    private final FieldPath path;
    private final List<CdiProblem> problems;
    private final Set<String> readNames = new HashSet<>();

    StrictFields(JsonObject object, FieldPath path, List<CdiProblem> problems) {
        this.object = object;
        this.path = path;
        this.problems = problems;
    }

    /// Reports fields that were not read; to be called after all supported fields.
    void finish() {
        for (var name : object.names()) {
            if (!readNames.contains(name)) {
                refuse(path.child(name), "unknown field: runtimes reject the whole file");
            }
        }
    }

    String text(String name) {
        return member(name).map(value -> text(path.child(name), value)).orElse("");
    }

    private String text(FieldPath at, Json value) {
        if (value instanceof Json.JsonString(var text)) {
            return text;
        }
        typeError(at, "a string", value);
        return "";
    }

    boolean flag(String name) {
        return member(name)
                .map(value -> {
                    if (value instanceof Json.JsonBool(var flag)) {
                        return flag;
                    }
                    typeError(path.child(name), "true or false", value);
                    return false;
                })
                .orElse(false);
    }

    long number(String name) {
        return member(name).map(value -> number(path.child(name), value)).orElse(0L);
    }

    /// A number from 0 to 2³² − 1.
    OptionalLong unsigned(String name) {
        return member(name)
                .map(value -> OptionalLong.of(unsigned(path.child(name), value)))
                .orElse(OptionalLong.empty());
    }

    OptionalInt integer(String name) {
        return member(name)
                .map(value -> OptionalInt.of((int) number(path.child(name), value)))
                .orElse(OptionalInt.empty());
    }

    private long unsigned(FieldPath at, Json value) {
        var number = number(at, value);
        if (number < 0 || number > MAX_UNSIGNED_INT) {
            refuse(at, "%d is not between 0 and %d".formatted(number, MAX_UNSIGNED_INT));
            return 0;
        }
        return number;
    }

    private long number(FieldPath at, Json value) {
        if (value instanceof JsonNumber number && number.asLong().isPresent()) {
            return number.asLong().getAsLong();
        }
        typeError(at, "a whole number", value);
        return 0;
    }

    List<String> strings(String name) {
        return list(name, this::text);
    }

    List<Long> unsignedNumbers(String name) {
        return list(name, this::unsigned);
    }

    Map<String, String> texts(String name) {
        var texts = new TreeMap<String, String>();
        object(name)
                .ifPresent(fields ->
                        fields.object.names().forEach(key -> texts.put(key, fields.text(key))));
        return texts;
    }

    /// A nested object.
    Optional<StrictFields> object(String name) {
        return member(name).flatMap(value -> fields(path.child(name), value));
    }

    /// A list of objects, each read by a function.
    ///
    /// @param isPointer true where the reference library has pointers, which `null` leaves empty
    <T> List<T> objects(String name, boolean isPointer, Function<StrictFields, T> read) {
        return this.<Optional<T>>list(
                        name,
                        (at, value) -> {
                            if (value instanceof Json.JsonNull && isPointer) {
                                problems.add(
                                        CdiProblem.dangerous(
                                                at, "must not be null: some runtimes crash on it"));
                                return Optional.empty();
                            }
                            return fields(at, value).map(fields -> finished(fields, read));
                        })
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    static <T> T finished(StrictFields fields, Function<StrictFields, T> read) {
        var result = read.apply(fields);
        fields.finish();
        return result;
    }

    private interface Item<T> {
        T read(FieldPath at, Json value);
    }

    private <T> List<T> list(String name, Item<T> item) {
        var value = member(name);
        if (value.isEmpty()) {
            return List.of();
        }
        if (!(value.get() instanceof Json.JsonArray(var items))) {
            typeError(path.child(name), "a list", value.get());
            return List.of();
        }
        var read = new ArrayList<T>();
        for (var i = 0; i < items.size(); i++) {
            read.add(item.read(path.child(name).index(i), items.get(i)));
        }
        return read;
    }

    private Optional<StrictFields> fields(FieldPath at, Json value) {
        if (value instanceof JsonObject inner) {
            return Optional.of(new StrictFields(inner, at, problems));
        }
        typeError(at, "an object", value);
        return Optional.empty();
    }

    private Optional<Json> member(String name) {
        readNames.add(name);
        return object.member(name);
    }

    private void typeError(FieldPath at, String expected, Json found) {
        refuse(at, "expected %s, found %s".formatted(expected, found.kindName()));
    }

    private void refuse(FieldPath at, String message) {
        problems.add(CdiProblem.invalid(at, message));
    }
}
