package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.Scalar;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Optional;

/// Fields of a value of some type: all of them, and the value without some of them.
final class TypedFields {

    private TypedFields() {}

    /// The fields that a configuration speaks of: leaves, items, and entries of maps, but not the
    /// structs and lists on the way to them.
    static FieldSet fields(Json value, SchemaType type) {
        return collected(value, type).inside();
    }

    private static FieldSet collected(Json value, SchemaType type) {
        if (ApplyTypes.splitsMembers(type) && value instanceof JsonObject object) {
            var set = new FieldSetBuilder(object.size());
            for (var at = 0; at < object.size(); at++) {
                var name = object.nameAt(at);
                var member = object.valueAt(at);
                var inner = collected(member, ApplyTypes.member(type, name));
                var hollow =
                        member instanceof JsonNull
                                || (member instanceof JsonObject fields && fields.isEmpty());
                var itself = hollow || ApplyTypes.described(type, name).isEmpty();
                set.add(new PathStep.Named(name), itself ? inner.joined() : inner);
            }
            return set.done(false);
        }
        return collectedItems(value, type).orElse(FieldSet.LEAF);
    }

    private static Optional<FieldSet> collectedItems(Json value, SchemaType type) {
        var list = ApplyTypes.splitsItems(type);
        // An empty list has no items to be owned: it is, lest nobody could ever take it back.
        if (list.isEmpty() || !(value instanceof JsonArray(var items)) || items.isEmpty()) {
            return Optional.empty();
        }
        var steps = ApplyTypes.steps(list.get(), items);
        if (steps.isEmpty()) {
            return Optional.empty();
        }
        var repeated = ApplyTypes.repeated(steps.get());
        var set = new FieldSetBuilder(items.size());
        for (var i = 0; i < items.size(); i++) {
            var step = steps.get().get(i);
            set.add(
                    step,
                    repeated.contains(step)
                            ? FieldSet.LEAF
                            : collected(items.get(i), list.get().item()).joined());
        }
        return Optional.of(set.done(false));
    }

    /// The set with the structs and lists on the way to its members, where a struct names them.
    static FieldSet withContainers(FieldSet set, SchemaType type) {
        return set.isEmpty()
                ? set
                : set.withParts((step, below) -> {
                    var inner = withContainers(below, inside(type, step));
                    return isNamed(step, type) && !below.isEmpty() ? inner.joined() : inner;
                });
    }

    private static SchemaType inside(SchemaType type, PathStep step) {
        return switch (step) {
            case PathStep.Named(var name) -> ApplyTypes.member(type, name);
            case PathStep.Keyed _, PathStep.Valued _, PathStep.Indexed _ ->
                    type instanceof SchemaType.ListOf list ? list.item() : Scalar.ANY;
        };
    }

    private static boolean isNamed(PathStep step, SchemaType type) {
        return step instanceof PathStep.Named(var name)
                && ApplyTypes.described(type, name).isPresent();
    }

    /// The value without some fields; containers that this empties go too.
    static JsonObject without(JsonObject object, FieldSet gone, SchemaType type) {
        return removed(object, gone, type) instanceof JsonObject left ? left : JsonObject.EMPTY;
    }

    private static Json removed(Json value, FieldSet gone, SchemaType type) {
        if (gone.isEmpty()) {
            return value;
        }
        if (ApplyTypes.splitsMembers(type) && value instanceof JsonObject object) {
            var members = new LinkedHashMap<String, Json>();
            object.members()
                    .forEach((name, member) -> {
                        var step = new PathStep.Named(name);
                        var below = gone.below(step);
                        if (!gone.has(step)) {
                            kept(member, below, ApplyTypes.member(type, name))
                                    .ifPresent(left -> members.put(name, left));
                        }
                    });
            return new JsonObject(members);
        }
        return ApplyTypes.splitsItems(type)
                .filter(_ -> value instanceof JsonArray)
                .map(list -> removedItems((JsonArray) value, gone, list))
                .orElse(value);
    }

    private static Json removedItems(JsonArray array, FieldSet gone, SchemaType.ListOf list) {
        var items = new ArrayList<Json>();
        for (var item : array.items()) {
            var step = ApplyTypes.step(list, item);
            if (step.isEmpty()) {
                items.add(item);
            } else if (!gone.has(step.get())) {
                kept(item, gone.below(step.get()), list.item()).ifPresent(items::add);
            }
        }
        return new JsonArray(items);
    }

    private static Optional<Json> kept(Json value, FieldSet gone, SchemaType type) {
        var left = removed(value, gone, type);
        return ApplyTypes.hollow(left) && !ApplyTypes.hollow(value)
                ? Optional.empty()
                : Optional.of(left);
    }

    /// The object without the nulls by which a configuration says that it wants a field unset.
    static JsonObject withoutNulls(JsonObject object, SchemaType type) {
        return stripped(object, type) instanceof JsonObject left ? left : object;
    }

    private static Json stripped(Json value, SchemaType type) {
        return switch (value) {
            case JsonObject object when type != Scalar.ANY -> {
                var members = new LinkedHashMap<String, Json>();
                object.members()
                        .forEach((name, member) -> {
                            if (!(member instanceof JsonNull)) {
                                members.put(name, stripped(member, ApplyTypes.member(type, name)));
                            }
                        });
                yield new JsonObject(members);
            }
            case JsonArray(var items) when type instanceof SchemaType.ListOf list ->
                    Json.array(items.stream().map(item -> stripped(item, list.item())).toList());
            default -> value;
        };
    }
}
