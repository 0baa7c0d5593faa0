package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.Field;
import dev.berth.schema.SchemaType.Fields;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.MapOf;
import dev.berth.schema.SchemaType.Merge;
import dev.berth.schema.SchemaType.Scalar;
import dev.berth.schema.SchemaType.Struct;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// How server-side apply treats values of a type: granular or atomic, and the path steps of list
/// items.
final class ApplyTypes {

    /// Type of an undescribed field of a struct that preserves unknown fields: objects are
    /// granular, lists atomic.
    static final Struct DEDUCED = new Struct("", "", new Undescribed(), false, true);

    /// Kubernetes serializes these structs even when they are empty, so they never appear or
    /// disappear.
    private static final Set<String> ALWAYS_PRESENT = Set.of("metadata", "spec", "status");

    private record Undescribed() implements Fields {
        @Override
        public List<Field> all() {
            return List.of();
        }

        @Override
        public @Nullable Field named(String name) {
            return null;
        }
    }

    private ApplyTypes() {}

    static Optional<Field> declaredField(SchemaType type, String name) {
        return type instanceof Struct struct
                ? Optional.ofNullable(struct.fields().named(name))
                : Optional.empty();
    }

    static SchemaType member(SchemaType type, String name) {
        return switch (type) {
            case Struct struct -> {
                var field = struct.fields().named(name);
                yield field != null ? field.type() : struct.open() ? DEDUCED : Scalar.ANY;
            }
            case MapOf map -> map.value();
            case ListOf _, Scalar _ -> Scalar.ANY;
        };
    }

    /// True for a field that counts as present even when it is missing.
    static boolean isAlwaysPresent(SchemaType type, String name) {
        var field = type instanceof Struct struct ? struct.fields().named(name) : null;
        return field != null
                && ((field.type() instanceof Struct && ALWAYS_PRESENT.contains(name))
                        || (field.required() && !(field.type() instanceof Scalar)));
    }

    /// True if members of such an object are owned individually.
    static boolean isGranular(SchemaType type) {
        return switch (type) {
            case Struct struct -> !struct.atomic();
            case MapOf map -> !map.atomic();
            case ListOf _, Scalar _ -> false;
        };
    }

    /// The type of an associative list, whose items are owned individually.
    static Optional<ListOf> associativeList(SchemaType type) {
        return type instanceof ListOf list && !(list.merge() instanceof Merge.Atomic)
                ? Optional.of(list)
                : Optional.empty();
    }

    /// The path steps of the items, in order; empty if an item has no key. Such a list is treated
    /// as atomic.
    static Optional<List<PathStep>> steps(ListOf list, List<Json> items) {
        var steps = new ArrayList<PathStep>(items.size());
        for (var item : items) {
            var step = step(list, item);
            if (step.isEmpty()) {
                return Optional.empty();
            }
            steps.add(step.get());
        }
        return Optional.of(steps);
    }

    /// An item of an associative list and its path step.
    record Item(PathStep step, Json value) {}

    /// The items sorted by step; items with equal steps keep their order. Empty as in [#steps].
    static Optional<List<Item>> items(ListOf list, List<Json> values) {
        return steps(list, values).map(steps -> items(steps, values));
    }

    private static List<Item> items(List<PathStep> steps, List<Json> values) {
        var items = new ArrayList<Item>(values.size());
        for (var at = 0; at < values.size(); at++) {
            items.add(new Item(steps.get(at), values.get(at)));
        }
        items.sort(Comparator.comparing(Item::step));
        return items;
    }

    static Optional<PathStep> step(ListOf list, Json item) {
        return switch (list.merge()) {
            case Merge.Atomic _ -> Optional.empty();
            case Merge.AsSet _ ->
                    switch (item) {
                        case JsonObject _, JsonArray _, JsonNull _ -> Optional.empty();
                        default -> Optional.of(new PathStep.Valued(item));
                    };
            case Merge.ByKeys(var keys) -> {
                if (!(item instanceof JsonObject object)) {
                    yield Optional.empty();
                }
                var fields = keyFields(list, object, keys);
                yield fields.isEmpty() ? Optional.empty() : Optional.of(new PathStep.Keyed(fields));
            }
        };
    }

    /// The key fields of an item. A key field that is absent and has no default is left out, which
    /// distinguishes the item from items that have it.
    private static JsonObject keyFields(ListOf list, JsonObject item, List<String> keys) {
        var fields = JsonObject.EMPTY;
        for (var key : keys) {
            var value = key(list, item, key);
            if (value.isPresent()) {
                fields = fields.with(key, value.get());
            }
        }
        return fields;
    }

    private static Optional<Json> key(ListOf list, JsonObject item, String key) {
        return item.member(key).or(() -> declaredField(list.item(), key).flatMap(Field::initial));
    }

    /// Message for an item without a key.
    static String problem(ListOf list, Json item) {
        return switch (list.merge()) {
            case Merge.ByKeys(var keys) ->
                    switch (item) {
                        case JsonNull _ -> "associative list with keys may not have a null element";
                        case JsonObject _ ->
                                "associative list with keys has an element that omits all key"
                                        + " fields "
                                        + quoted(keys)
                                        + " (and doesn't have default values for any key fields)";
                        default -> "associative list with keys may not have non-map elements";
                    };
            case Merge.AsSet _, Merge.Atomic _ ->
                    switch (item) {
                        case JsonObject _ ->
                                "associative list without keys has an element that's a map type";
                        case JsonArray _ ->
                                "not supported: associative list with lists as elements";
                        default ->
                                "associative list without keys has an element that's an explicit"
                                        + " null";
                    };
        };
    }

    private static String quoted(List<String> words) {
        return words.stream().collect(Collectors.joining("\" \"", "[\"", "\"]"));
    }

    /// The steps that occur more than once.
    static Set<PathStep> repeated(List<PathStep> steps) {
        var seen = new TreeSet<PathStep>();
        var repeated = new TreeSet<PathStep>();
        for (var step : steps) {
            if (!seen.add(step)) {
                repeated.add(step);
            }
        }
        return repeated;
    }

    /// True for an empty object, an empty list and null.
    static boolean isEmptyOrNull(Json value) {
        return switch (value) {
            case JsonNull _ -> true;
            case JsonObject object -> object.isEmpty();
            case JsonArray(var items) -> items.isEmpty();
            default -> false;
        };
    }
}
