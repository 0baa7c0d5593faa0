package dev.berth.core.admission;

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

/// The words in which Kubernetes declares rules on its types, and what they found so far.
///
/// A declared rule does not look again at a value that an update leaves as it was, so that objects
/// from before the rule can still be changed elsewhere.
final class DeclarativeValidation {

    /// A value, and what was there before.
    ///
    /// @param correlated whether there is a before at all; then `old` may still be absent
    record Spot(FieldPath path, Optional<Json> value, boolean correlated, Optional<Json> old) {

        static Spot of(FieldPath path, Optional<JsonObject> old, JsonObject object) {
            return new Spot(path, Optional.of(object), old.isPresent(), old.map(o -> o));
        }

        Spot child(String name) {
            return new Spot(
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

        /// The items of a list, each with the old one of the same key.
        List<Spot> itemsBy(Function<JsonObject, Json> key) {
            var before = new TreeMap<Json, Json>(JsonOrder.INSTANCE);
            for (var item : items(old)) {
                before.putIfAbsent(keyOf(item, key), item);
            }
            var spots = new ArrayList<Spot>();
            for (var i = 0; i < items().size(); i++) {
                var item = items().get(i);
                var match = correlated ? before.get(keyOf(item, key)) : null;
                spots.add(
                        new Spot(
                                path.index(i),
                                Optional.of(item),
                                match != null,
                                Optional.ofNullable(match)));
            }
            return spots;
        }

        private static Json keyOf(Json item, Function<JsonObject, Json> key) {
            return item instanceof JsonObject object ? key.apply(object) : item;
        }

        /// The entries of a map, each with the old one of the same name.
        List<Spot> entries() {
            var spots = new ArrayList<Spot>();
            for (var name : object().names()) {
                var inside = child(name);
                spots.add(new Spot(path.key(name), inside.value, inside.correlated, inside.old));
            }
            return spots;
        }
    }

    static final Function<JsonObject, Json> BY_NAME = item -> Json.of(item.text("name"));

    /// For lists whose items have no identity: each counts as new unless an equal one was there.
    static final Function<JsonObject, Json> BY_ITSELF = item -> item;

    private final List<FieldError> found = new ArrayList<>();

    List<FieldError> found() {
        return List.copyOf(found);
    }

    void add(FieldError problem) {
        found.add(problem);
    }

    /// Looks into a value unless it is as before.
    void changed(Spot spot, Consumer<Spot> rule) {
        if (!spot.unchanged()) {
            rule.accept(spot);
        }
    }

    /// Looks into a value that is there and not as before.
    void present(Spot spot, Consumer<Spot> rule) {
        if (spot.value().isPresent()) {
            changed(spot, rule);
        }
    }

    /// A text that must be there.
    void required(Spot spot, BiFunction<String, FieldPath, List<FieldError>> format) {
        changed(
                spot,
                s -> {
                    if (s.text().isEmpty()) {
                        found.add(FieldError.required(s.path()));
                    } else {
                        found.addAll(format.apply(s.text(), s.path()));
                    }
                });
    }

    /// A text that may be left out.
    void optional(Spot spot, BiFunction<String, FieldPath, List<FieldError>> format) {
        present(spot, s -> found.addAll(format.apply(s.text(), s.path())));
    }

    /// A text that may be left out or empty.
    void optionalText(Spot spot, BiFunction<String, FieldPath, List<FieldError>> format) {
        if (!spot.text().isEmpty()) {
            optional(spot, format);
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

    /// A list of limited length.
    void list(Spot list, int limit, Function<JsonObject, Json> key, Consumer<Spot> each) {
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

    /// A list of limited length whose items differ in their key.
    void set(Spot list, int limit, Function<JsonObject, Json> key, Consumer<Spot> each) {
        if (list.unchanged()) {
            return;
        }
        var size = list.items().size();
        if (size > 1 && (limit == FieldErrors.UNLIMITED || size <= limit)) {
            var seen = new TreeSet<>(JsonOrder.INSTANCE);
            for (var item : list.itemsBy(key)) {
                var value = item.value().orElseThrow();
                if (!seen.add(Spot.keyOf(value, key))) {
                    found.add(FieldError.duplicate(item.path(), value));
                }
            }
        }
        list(list, limit, key, each);
    }

    /// A union: exactly one of its members must be set.
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

    void exactlyOne(List<String> members, List<String> set, Spot spot) {
        found.addAll(exactlyOne(members, set, spot.path()));
    }
}
