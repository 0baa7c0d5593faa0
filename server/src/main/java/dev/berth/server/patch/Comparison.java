package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import dev.berth.server.patch.FieldSet.Growing;
import dev.berth.server.schema.Type;
import dev.berth.server.schema.Type.ListOf;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// How one object differs from another, field by field.
///
/// A container that came or went is in the sets itself, beside all that is in it. What does not
/// look as its type says is compared as one value.
record Comparison(FieldSet removed, FieldSet modified, FieldSet added) {

    static Comparison of(Json before, Json after, Type type) {
        var walk = new Walk();
        if (!before.equals(after)) {
            walk.both(before, after, type);
        }
        return new Comparison(walk.removed.done(), walk.modified.done(), walk.added.done());
    }

    /// This, less what a strategy takes back anyway.
    Comparison without(FieldSet ignored) {
        return ignored.isEmpty()
                ? this
                : new Comparison(
                        removed.without(ignored),
                        modified.without(ignored),
                        added.without(ignored));
    }

    /// What is new or different afterwards.
    FieldSet touched() {
        return modified.union(added);
    }

    private static final class Walk {

        private final Growing removed = new Growing();
        private final Growing modified = new Growing();
        private final Growing added = new Growing();
        private final List<PathStep> path = new ArrayList<>();

        /// Two values that are not equal. Most of an object stays as it was; to see that at once is
        /// worth a second look at the rest.
        private void both(Json before, Json after, Type type) {
            if (Types.hollow(before) && Types.hollow(after)) {
                leaf(before, after);
            } else if (Types.splitsMembers(type) && isObject(before) && isObject(after)) {
                members(object(before), object(after), type);
            } else {
                var list = Types.splitsItems(type);
                if (list.isEmpty() || !items(before, after, list.get())) {
                    leaf(before, after);
                }
            }
        }

        private static boolean isObject(Json value) {
            return value instanceof JsonObject || value instanceof JsonNull;
        }

        private static JsonObject object(Json value) {
            return value instanceof JsonObject object ? object : JsonObject.EMPTY;
        }

        private void leaf(Json before, Json after) {
            if (!Scalars.same(before, after)) {
                modified.add(path);
            }
        }

        private void members(JsonObject before, JsonObject after, Type type) {
            for (var at = 0; at < before.size(); at++) {
                var name = before.nameAt(at);
                var now = after.members().get(name);
                if (before.valueAt(at).equals(now)) {
                    continue;
                }
                path.add(new PathStep.Named(name));
                if (now == null) {
                    spreadMember(name, before.valueAt(at), type, removed);
                } else {
                    both(before.valueAt(at), now, Types.member(type, name));
                }
                path.removeLast();
            }
            for (var at = 0; at < after.size(); at++) {
                var name = after.nameAt(at);
                if (!before.members().containsKey(name)) {
                    path.add(new PathStep.Named(name));
                    spreadMember(name, after.valueAt(at), type, added);
                    path.removeLast();
                }
            }
        }

        private void spreadMember(String name, Json value, Type type, Growing set) {
            spread(value, Types.member(type, name), Types.standing(type, name), set.at(path));
        }

        /// Compares item by item; false when the items cannot be told apart.
        private boolean items(Json before, Json after, ListOf list) {
            if (!isList(before) || !isList(after)) {
                return false;
            }
            var old = items(before);
            var now = items(after);
            var oldSteps = Types.steps(list, old);
            var nowSteps = Types.steps(list, now);
            if (oldSteps.isEmpty() || nowSteps.isEmpty()) {
                return false;
            }
            var oldByStep = grouped(oldSteps.get(), old);
            var nowByStep = grouped(nowSteps.get(), now);
            Set<PathStep> steps = new LinkedHashSet<>(oldByStep.keySet());
            steps.addAll(nowByStep.keySet());
            for (var step : steps) {
                path.add(step);
                group(
                        oldByStep.getOrDefault(step, List.of()),
                        nowByStep.getOrDefault(step, List.of()),
                        list.item());
                path.removeLast();
            }
            return true;
        }

        private static boolean isList(Json value) {
            return value instanceof JsonArray || value instanceof JsonNull;
        }

        private static List<Json> items(Json value) {
            return value instanceof JsonArray(var items) ? items : List.of();
        }

        private static Map<PathStep, List<Json>> grouped(List<PathStep> steps, List<Json> items) {
            var groups = new TreeMap<PathStep, List<Json>>();
            for (var i = 0; i < items.size(); i++) {
                groups.computeIfAbsent(steps.get(i), _ -> new ArrayList<>()).add(items.get(i));
            }
            return groups;
        }

        /// Items of one key: usually one on each side. Several are compared as one value.
        private void group(List<Json> old, List<Json> now, Type type) {
            if (old.equals(now)) {
                return;
            }
            if (old.size() == 1 && now.size() == 1) {
                both(old.getFirst(), now.getFirst(), type);
            } else if (old.isEmpty()) {
                only(now, type, added.at(path));
            } else if (now.isEmpty()) {
                only(old, type, removed.at(path));
            } else {
                leaf(Json.array(old), Json.array(now));
            }
        }

        private static void only(List<Json> items, Type type, Growing here) {
            if (items.size() == 1) {
                spread(items.getFirst(), type, false, here);
            }
            here.join();
        }

        /// Adds all fields of a value that only one side has.
        ///
        /// @param here where the value stands
        private static void spread(Json value, Type type, boolean standing, Growing here) {
            if (!Types.hollow(value)) {
                if (Types.splitsMembers(type) && value instanceof JsonObject object) {
                    for (var at = 0; at < object.size(); at++) {
                        var name = object.nameAt(at);
                        spread(
                                object.valueAt(at),
                                Types.member(type, name),
                                Types.standing(type, name),
                                here.at(new PathStep.Named(name)));
                    }
                } else if (value instanceof JsonArray(var items)) {
                    Types.splitsItems(type)
                            .ifPresent(list ->
                                    Types.steps(list, items)
                                            .ifPresent(steps ->
                                                    spreadItems(items, steps, list, here)));
                }
            }
            if (!standing) {
                here.join();
            }
        }

        private static void spreadItems(
                List<Json> items, List<PathStep> steps, ListOf list, Growing here) {
            grouped(steps, items).forEach((step, group) -> only(group, list.item(), here.at(step)));
        }
    }
}
