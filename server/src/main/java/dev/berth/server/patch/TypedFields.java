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

/// Field sets of typed values, and removal of fields from values.
final class TypedFields {

    private TypedFields() {}

    /// The fields that a configuration sets: leaves, items and map entries, but not the structs and
    /// lists that contain them.
    static FieldSet fields(Json value, SchemaType type) {
        return collected(value, type).withoutSelf();
    }

    private static FieldSet collected(Json value, SchemaType type) {
        if (ApplyTypes.isGranular(type) && value instanceof JsonObject object) {
            var set = new FieldSetBuilder(object.size());
            for (var at = 0; at < object.size(); at++) {
                var name = object.nameAt(at);
                var member = object.valueAt(at);
                var inner = collected(member, ApplyTypes.member(type, name));
                var isEmptyOrNull =
                        member instanceof JsonNull
                                || (member instanceof JsonObject fields && fields.isEmpty());
                var itself = isEmptyOrNull || ApplyTypes.declaredField(type, name).isEmpty();
                set.add(new PathStep.Named(name), itself ? inner.withSelf() : inner);
            }
            return set.build(false);
        }
        return collectedItems(value, type).orElse(FieldSet.LEAF);
    }

    private static Optional<FieldSet> collectedItems(Json value, SchemaType type) {
        var list = ApplyTypes.associativeList(type);
        // An empty list has no items to own, so the list itself is owned; otherwise no manager
        // could remove it.
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
                            : collected(items.get(i), list.get().item()).withSelf());
        }
        return Optional.of(set.build(false));
    }

    /// The set with the structs and lists that contain its members, where a struct declares them.
    static FieldSet withContainers(FieldSet set, SchemaType type) {
        return set.isEmpty()
                ? set
                : set.mapChildren((step, below) -> {
                    var inner = withContainers(below, childType(type, step));
                    return isNamed(step, type) && !below.isEmpty() ? inner.withSelf() : inner;
                });
    }

    private static SchemaType childType(SchemaType type, PathStep step) {
        return switch (step) {
            case PathStep.Named(var name) -> ApplyTypes.member(type, name);
            case PathStep.Keyed _, PathStep.Valued _, PathStep.Indexed _ ->
                    type instanceof SchemaType.ListOf list ? list.item() : Scalar.ANY;
        };
    }

    private static boolean isNamed(PathStep step, SchemaType type) {
        return step instanceof PathStep.Named(var name)
                && ApplyTypes.declaredField(type, name).isPresent();
    }

    /// The value without some fields and without the containers that this empties.
    static JsonObject without(JsonObject object, FieldSet gone, SchemaType type) {
        return removed(object, gone, type) instanceof JsonObject left ? left : JsonObject.EMPTY;
    }

    private static Json removed(Json value, FieldSet gone, SchemaType type) {
        if (gone.isEmpty()) {
            return value;
        }
        if (ApplyTypes.isGranular(type) && value instanceof JsonObject object) {
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
        return ApplyTypes.associativeList(type)
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
        return ApplyTypes.isEmptyOrNull(left) && !ApplyTypes.isEmptyOrNull(value)
                ? Optional.empty()
                : Optional.of(left);
    }

    /// The object without the nulls by which a configuration unsets fields.
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
