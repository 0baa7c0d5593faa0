package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.core.text.GoText;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/// Declarative validation: the rule primitives with which Kubernetes annotates its API types
/// (`required`, `optional`, lists with maximum size, unions), and the errors found so far.
///
/// Declarative rules skip values that an update does not change (ratcheting), so that objects older
/// than a rule can still be updated.
final class DeclarativeValidation {

    /// A field with its new and old value.
    ///
    /// @param correlated whether the field has a counterpart in the old object; `old` may still be
    ///   absent
    record Field(FieldPath path, Optional<Json> value, boolean correlated, Optional<Json> old) {

        static Field of(FieldPath path, Optional<JsonObject> old, JsonObject object) {
            return new Field(path, Optional.of(object), old.isPresent(), old.map(o -> o));
        }

        Field child(String name) {
            return new Field(
                    path.child(name),
                    value.flatMap(v -> member(v, name)),
                    correlated && old.isPresent(),
                    old.flatMap(v -> member(v, name)));
        }

        private static Optional<Json> member(Json value, String name) {
            return value instanceof JsonObject object ? object.member(name) : Optional.empty();
        }

        boolean unchanged() {
            return correlated && SemanticEquality.same(path, value, old);
        }

        JsonObject object() {
            return value.orElse(JsonObject.EMPTY) instanceof JsonObject object
                    ? object
                    : JsonObject.EMPTY;
        }

        String text() {
            return value.orElse(Json.of("")) instanceof JsonString(var text) ? text : "";
        }

        List<Json> items() {
            return items(value);
        }

        private static List<Json> items(Optional<Json> list) {
            return list.isPresent() && list.get() instanceof Json.JsonArray(var items)
                    ? items
                    : List.of();
        }

        /// The items of a list, each paired with the old item of the same key.
        List<Field> itemsBy(Function<JsonObject, Json> key) {
            var before = new TreeMap<Json, Json>(JsonOrder.INSTANCE);
            for (var item : items(old)) {
                before.putIfAbsent(keyOf(item, key), item);
            }
            var fields = new ArrayList<Field>();
            for (var i = 0; i < items().size(); i++) {
                var item = items().get(i);
                var match = correlated ? before.get(keyOf(item, key)) : null;
                fields.add(
                        new Field(
                                path.index(i),
                                Optional.of(item),
                                match != null,
                                Optional.ofNullable(match)));
            }
            return fields;
        }

        private static Json keyOf(Json item, Function<JsonObject, Json> key) {
            return item instanceof JsonObject object ? key.apply(object) : item;
        }

        /// The entries of a map, each paired with the old entry of the same name.
        List<Field> entries() {
            var fields = new ArrayList<Field>();
            for (var name : object().names()) {
                var inside = child(name);
                fields.add(new Field(path.key(name), inside.value, inside.correlated, inside.old));
            }
            return fields;
        }
    }

    static final Function<JsonObject, Json> BY_NAME = item -> Json.of(item.text("name"));

    /// Key for lists whose items have no identity: an item is new unless the old list has an equal
    /// one.
    static final Function<JsonObject, Json> BY_ITSELF = item -> item;

    private final List<FieldError> found = new ArrayList<>();

    List<FieldError> found() {
        return List.copyOf(found);
    }

    void add(FieldError problem) {
        found.add(problem);
    }

    /// Applies a rule unless the value is unchanged.
    void changed(Field field, Consumer<Field> rule) {
        if (!field.unchanged()) {
            rule.accept(field);
        }
    }

    /// Applies a rule to a value that is present and changed.
    void present(Field field, Consumer<Field> rule) {
        if (field.value().isPresent()) {
            changed(field, rule);
        }
    }

    /// A required string.
    void required(Field field, BiFunction<String, FieldPath, List<FieldError>> format) {
        changed(
                field,
                s -> {
                    if (s.text().isEmpty()) {
                        found.add(FieldError.required(s.path()));
                    } else {
                        found.addAll(format.apply(s.text(), s.path()));
                    }
                });
    }

    /// An optional string.
    void optional(Field field, BiFunction<String, FieldPath, List<FieldError>> format) {
        present(field, s -> found.addAll(format.apply(s.text(), s.path())));
    }

    /// An optional string that may also be empty.
    void optionalText(Field field, BiFunction<String, FieldPath, List<FieldError>> format) {
        if (!field.text().isEmpty()) {
            optional(field, format);
        }
    }

    static BiFunction<String, FieldPath, List<FieldError>> oneOf(Collection<String> values) {
        return (text, path) ->
                values.contains(text)
                        ? List.of()
                        : List.of(FieldError.notSupported(path, text, values));
    }

    static BiFunction<String, FieldPath, List<FieldError>> atMostBytes(int limit) {
        return (text, path) ->
                GoText.bytes(text) > limit ? List.of(FieldError.tooLong(path, limit)) : List.of();
    }

    /// A list with a maximum size.
    void list(Field list, int limit, Function<JsonObject, Json> key, Consumer<Field> each) {
        changed(
                list,
                s -> {
                    if (limit != FieldErrors.UNLIMITED && s.items().size() > limit) {
                        found.add(FieldError.tooMany(s.path(), s.items().size(), limit));
                    } else {
                        s.itemsBy(key).forEach(item -> changed(item, each));
                    }
                });
    }

    /// A list with a maximum size and unique keys.
    void set(Field list, int limit, Function<JsonObject, Json> key, Consumer<Field> each) {
        if (list.unchanged()) {
            return;
        }
        var size = list.items().size();
        if (size > 1 && (limit == FieldErrors.UNLIMITED || size <= limit)) {
            var seen = new TreeSet<>(JsonOrder.INSTANCE);
            for (var item : list.itemsBy(key)) {
                var value = item.value().orElseThrow();
                if (!seen.add(Field.keyOf(value, key))) {
                    found.add(FieldError.duplicate(item.path(), value));
                }
            }
        }
        list(list, limit, key, each);
    }

    /// A union: exactly one member must be set.
    static List<FieldError> exactlyOne(List<String> members, List<String> set, FieldPath path) {
        var choice = "`" + String.join("`, `", members) + "`";
        if (set.isEmpty()) {
            return List.of(FieldError.invalid(path, "", "must specify one of: " + choice));
        }
        return set.size() == 1
                ? List.of()
                : List.of(
                        FieldError.invalid(
                                path,
                                "{" + String.join(", ", set) + "}",
                                "must specify exactly one of: " + choice));
    }

    void exactlyOne(List<String> members, List<String> set, Field field) {
        found.addAll(exactlyOne(members, set, field.path()));
    }
}
