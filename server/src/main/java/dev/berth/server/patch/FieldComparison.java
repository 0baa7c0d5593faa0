package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.server.patch.ApplyTypes.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Field-by-field difference of two objects.
///
/// An added or removed container is in the sets itself, besides its fields. A value that does not
/// match its type is compared as one leaf.
record FieldComparison(FieldSet removed, FieldSet modified, FieldSet added) {

    private static final FieldComparison SAME =
            new FieldComparison(FieldSet.EMPTY, FieldSet.EMPTY, FieldSet.EMPTY);
    private static final FieldComparison MODIFIED =
            new FieldComparison(FieldSet.EMPTY, FieldSet.LEAF, FieldSet.EMPTY);

    static FieldComparison of(Json before, Json after, SchemaType type) {
        var difference = compare(before, after, type);
        return new FieldComparison(
                difference.removed.withoutSelf(),
                difference.modified.withoutSelf(),
                difference.added.withoutSelf());
    }

    /// This difference without the fields that the strategy resets.
    FieldComparison without(FieldSet ignored) {
        return ignored.isEmpty()
                ? this
                : new FieldComparison(
                        removed.without(ignored),
                        modified.without(ignored),
                        added.without(ignored));
    }

    /// Added and modified fields.
    FieldSet touched() {
        return modified.union(added);
    }

    /// Difference of two values that are usually not equal. Callers skip equal values first: most
    /// of an object is unchanged, and that check is cheap.
    private static FieldComparison compare(Json before, Json after, SchemaType type) {
        if (ApplyTypes.isEmptyOrNull(before) && ApplyTypes.isEmptyOrNull(after)) {
            return leaf(before, after);
        }
        if (ApplyTypes.isGranular(type) && isObject(before) && isObject(after)) {
            return members(object(before), object(after), type);
        }
        return ApplyTypes.associativeList(type)
                .flatMap(list -> items(before, after, list))
                .orElseGet(() -> leaf(before, after));
    }

    private static boolean isObject(Json value) {
        return value instanceof JsonObject || value instanceof JsonNull;
    }

    private static JsonObject object(Json value) {
        return value instanceof JsonObject object ? object : JsonObject.EMPTY;
    }

    private static FieldComparison leaf(Json before, Json after) {
        return JsonScalars.same(before, after) ? SAME : MODIFIED;
    }

    private static FieldComparison members(JsonObject before, JsonObject after, SchemaType type) {
        var all = new Builder();
        for (var at = 0; at < before.size(); at++) {
            var name = before.nameAt(at);
            var was = before.valueAt(at);
            var now = after.members().get(name);
            if (now == null) {
                all.removed.add(new PathStep.Named(name), member(name, was, type));
            } else if (!was.equals(now)) {
                all.add(new PathStep.Named(name), compare(was, now, ApplyTypes.member(type, name)));
            }
        }
        for (var at = 0; at < after.size(); at++) {
            var name = after.nameAt(at);
            if (!before.members().containsKey(name)) {
                all.added.add(new PathStep.Named(name), member(name, after.valueAt(at), type));
            }
        }
        return all.build();
    }

    /// Collects the three sets of one level.
    private static final class Builder {

        private final FieldSetBuilder removed = new FieldSetBuilder(0);
        private final FieldSetBuilder modified = new FieldSetBuilder(0);
        private final FieldSetBuilder added = new FieldSetBuilder(0);

        private void add(PathStep step, FieldComparison below) {
            removed.add(step, below.removed);
            modified.add(step, below.modified);
            added.add(step, below.added);
        }

        private FieldComparison build() {
            return new FieldComparison(
                    removed.build(false), modified.build(false), added.build(false));
        }
    }

    /// Compares item by item; empty if an item has no key.
    private static Optional<FieldComparison> items(Json before, Json after, ListOf list) {
        if (!isList(before) || !isList(after)) {
            return Optional.empty();
        }
        var old = ApplyTypes.items(list, items(before));
        var now = ApplyTypes.items(list, items(after));
        return old.isEmpty() || now.isEmpty()
                ? Optional.empty()
                : Optional.of(items(old.get(), now.get(), list.item()));
    }

    private static boolean isList(Json value) {
        return value instanceof JsonArray || value instanceof JsonNull;
    }

    private static List<Json> items(Json value) {
        return value instanceof JsonArray(var items) ? items : List.of();
    }

    /// Merges both lists, which are sorted by step.
    private static FieldComparison items(List<Item> old, List<Item> now, SchemaType type) {
        var all = new Builder();
        var olds = 0;
        var nows = 0;
        while (olds < old.size() || nows < now.size()) {
            var step = first(old, olds, now, nows);
            var oldGroup = group(old, olds, step);
            var nowGroup = group(now, nows, step);
            all.add(step, groups(oldGroup, nowGroup, type));
            olds += oldGroup.size();
            nows += nowGroup.size();
        }
        return all.build();
    }

    private static PathStep first(List<Item> old, int olds, List<Item> now, int nows) {
        if (olds == old.size()) {
            return now.get(nows).step();
        }
        var step = old.get(olds).step();
        return nows == now.size() || step.compareTo(now.get(nows).step()) <= 0
                ? step
                : now.get(nows).step();
    }

    /// The items with this step from an index on; usually one.
    private static List<Json> group(List<Item> items, int from, PathStep step) {
        var to = from;
        while (to < items.size() && items.get(to).step().compareTo(step) == 0) {
            to++;
        }
        if (to - from < 2) {
            return to == from ? List.of() : List.of(items.get(from).value());
        }
        var group = new ArrayList<Json>(to - from);
        for (var at = from; at < to; at++) {
            group.add(items.get(at).value());
        }
        return group;
    }

    /// Compares the items of one key, usually one on each side. Several are compared as one leaf.
    private static FieldComparison groups(List<Json> old, List<Json> now, SchemaType type) {
        if (old.equals(now)) {
            return SAME;
        }
        if (old.isEmpty()) {
            return new FieldComparison(FieldSet.EMPTY, FieldSet.EMPTY, only(now, type));
        }
        if (now.isEmpty()) {
            return new FieldComparison(only(old, type), FieldSet.EMPTY, FieldSet.EMPTY);
        }
        return old.size() == 1 && now.size() == 1
                ? compare(old.getFirst(), now.getFirst(), type)
                : leaf(Json.array(old), Json.array(now));
    }

    private static FieldSet only(List<Json> group, SchemaType type) {
        return group.size() == 1 ? all(group.getFirst(), type, false) : FieldSet.LEAF;
    }

    private static FieldSet member(String name, Json value, SchemaType type) {
        return all(value, ApplyTypes.member(type, name), ApplyTypes.isAlwaysPresent(type, name));
    }

    /// All fields of a value that only one side has.
    private static FieldSet all(Json value, SchemaType type, boolean isAlwaysPresent) {
        if (!ApplyTypes.isEmptyOrNull(value)) {
            if (ApplyTypes.isGranular(type) && value instanceof JsonObject object) {
                return allMembers(object, type).build(!isAlwaysPresent);
            }
            var list = ApplyTypes.associativeList(type);
            if (list.isPresent() && value instanceof JsonArray(var values)) {
                var items = ApplyTypes.items(list.get(), values);
                if (items.isPresent()) {
                    return allItems(items.get(), list.get().item()).build(!isAlwaysPresent);
                }
            }
        }
        return isAlwaysPresent ? FieldSet.EMPTY : FieldSet.LEAF;
    }

    private static FieldSetBuilder allMembers(JsonObject object, SchemaType type) {
        var fields = new FieldSetBuilder(object.size());
        for (var at = 0; at < object.size(); at++) {
            var name = object.nameAt(at);
            fields.add(new PathStep.Named(name), member(name, object.valueAt(at), type));
        }
        return fields;
    }

    private static FieldSetBuilder allItems(List<Item> items, SchemaType type) {
        var fields = new FieldSetBuilder(items.size());
        for (var at = 0; at < items.size(); ) {
            var step = items.get(at).step();
            var group = group(items, at, step);
            fields.add(step, only(group, type));
            at += group.size();
        }
        return fields;
    }
}
