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
        walk.both(before, after, type);
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

        private void both(Json before, Json after, Type type) {
            // Most of an object stays as it was; to see that at once is worth a second look at the
            // rest.
            if (before.equals(after)) {
                return;
            }
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
            var names = new LinkedHashSet<>(before.names());
            names.addAll(after.names());
            for (var name : names) {
                path.add(new PathStep.Named(name));
                var old = before.members().get(name);
                var now = after.members().get(name);
                var member = Types.member(type, name);
                if (old != null && now != null) {
                    both(old, now, member);
                } else if (now != null) {
                    spread(now, member, Types.standing(type, name), added);
                } else if (old != null) {
                    spread(old, member, Types.standing(type, name), removed);
                }
                path.removeLast();
            }
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
            if (old.size() == 1 && now.size() == 1) {
                both(old.getFirst(), now.getFirst(), type);
            } else if (old.isEmpty()) {
                only(now, type, added);
            } else if (now.isEmpty()) {
                only(old, type, removed);
            } else {
                leaf(Json.array(old), Json.array(now));
            }
        }

        private void only(List<Json> items, Type type, Growing set) {
            if (items.size() == 1) {
                spread(items.getFirst(), type, false, set);
            }
            set.add(path);
        }

        /// Adds all fields of a value that only one side has.
        private void spread(Json value, Type type, boolean standing, Growing set) {
            if (!Types.hollow(value)) {
                if (Types.splitsMembers(type) && value instanceof JsonObject object) {
                    for (var member : object.members().entrySet()) {
                        var name = member.getKey();
                        path.add(new PathStep.Named(name));
                        spread(
                                member.getValue(),
                                Types.member(type, name),
                                Types.standing(type, name),
                                set);
                        path.removeLast();
                    }
                } else if (value instanceof JsonArray(var items)) {
                    Types.splitsItems(type)
                            .ifPresent(list ->
                                    Types.steps(list, items)
                                            .ifPresent(
                                                    steps -> spreadItems(items, steps, list, set)));
                }
            }
            if (!standing) {
                set.add(path);
            }
        }

        private void spreadItems(List<Json> items, List<PathStep> steps, ListOf list, Growing set) {
            grouped(steps, items)
                    .forEach((step, group) -> {
                        path.add(step);
                        only(group, list.item(), set);
                        path.removeLast();
                    });
        }
    }
}
