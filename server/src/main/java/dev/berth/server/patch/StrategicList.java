package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonOrder;
import dev.berth.schema.SchemaType.ListOf;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// Merges one list of a strategic merge patch.
///
/// Order, by descending priority: that of `$setElementOrder`, that of the patch, that of the live
/// list. Items that only the live list has are put before the first item of the patch that follows
/// them in the live list.
final class StrategicList {

    private final ListOf type;

    StrategicList(ListOf type) {
        this.type = type;
    }

    JsonArray merged(List<Json> live, List<Json> patch) {
        if (!type.patchMerges()) {
            return new JsonArray(plain(patch));
        }
        if (live.isEmpty() && patch.isEmpty()) {
            return JsonArray.EMPTY;
        }
        if (!ofObjects(live, patch)) {
            var all = new LinkedHashSet<>(live);
            all.addAll(patch);
            return arranged(List.copyOf(all), patch, live);
        }
        if (type.patchKey().isEmpty()) {
            throw PatchException.badRequest("cannot merge lists without merge key for type struct");
        }
        return mergedByKey(live, patch);
    }

    /// The list after `$deleteFromPrimitiveList`.
    JsonArray without(List<Json> live, List<Json> removals) {
        if (!type.patchMerges() || ofObjects(live, removals)) {
            // Items have no identity here: the parallel list is treated as the list itself.
            return merged(live, removals);
        }
        var removed = new HashSet<>(removals);
        return Json.array(live.stream().filter(item -> !removed.contains(item)).toList());
    }

    /// Merges with `$setElementOrder`.
    JsonArray ordered(Optional<List<Json>> live, Optional<List<Json>> patch, List<Json> order) {
        checkOrder(patch.orElse(List.of()), order);
        List<Json> all;
        if (live.isPresent() && patch.isPresent()) {
            all = merged(live.get(), patch.get()).items();
        } else if (patch.isPresent()) {
            all = plain(patch.get());
        } else {
            all = live.orElse(List.of());
        }
        return arranged(all, order, live.orElse(List.of()));
    }

    private JsonArray mergedByKey(List<Json> live, List<Json> patch) {
        var kept = new ArrayList<Json>();
        var removed = new TreeSet<>(JsonOrder.INSTANCE);
        var replaces = false;
        for (var item : patch) {
            var directive = ((JsonObject) item).members().get(StrategicMergePatch.DIRECTIVE);
            if (directive == null) {
                kept.add(item);
            } else if (directive.equals(new JsonString("delete"))) {
                removed.add(key(item));
            } else if (directive.equals(new JsonString("replace"))) {
                replaces = true;
            } else if (directive.equals(new JsonString("merge"))) {
                throw PatchException.badRequest(
                        "merging lists cannot yet be specified in the patch");
            } else {
                throw StrategicMergePatch.unknownDirective(directive, (JsonObject) item);
            }
        }
        if (replaces) {
            return new JsonArray(plain(kept));
        }
        var left = live.stream().filter(item -> !removed.contains(keyOf(item))).toList();
        return arranged(overlaid(left, kept), kept, left);
    }

    /// The live items, each merged with the change of its key, followed by the new ones.
    private List<Json> overlaid(List<Json> live, List<Json> changes) {
        var items = new ArrayList<>(live);
        var places = new TreeMap<Json, Integer>(JsonOrder.INSTANCE);
        for (var i = 0; i < items.size(); i++) {
            places.putIfAbsent(keyOf(items.get(i)), i);
        }
        for (var change : changes) {
            var key = key(change);
            var place = places.get(key);
            if (place == null) {
                StrategicMergePatch.plain(change).ifPresent(items::add);
                places.put(key, items.size() - 1);
            } else {
                var old = (JsonObject) items.get(place);
                items.set(place, StrategicMergePatch.merged(old, (JsonObject) change, type.item()));
            }
        }
        return items;
    }

    /// Sorts the items that `order` names by it and the others by the live list, and interleaves
    /// both.
    private JsonArray arranged(List<Json> items, List<Json> order, List<Json> live) {
        var byOrder = places(order);
        var byLive = places(live);
        var named = new ArrayList<Json>();
        var others = new ArrayList<Json>();
        for (var item : items) {
            (byOrder.containsKey(key(item)) ? named : others).add(item);
        }
        named.sort((a, b) -> Integer.compare(place(byOrder, a), place(byOrder, b)));
        others.sort((a, b) -> Integer.compare(place(byLive, a), place(byLive, b)));
        var result = new ArrayList<Json>(items.size());
        var next = 0;
        for (var item : named) {
            var end = place(byLive, item);
            while (next < others.size() && end >= 0) {
                var mine = place(byLive, others.get(next));
                if (mine < 0 || mine >= end) {
                    break;
                }
                result.add(others.get(next++));
            }
            result.add(item);
        }
        result.addAll(others.subList(next, others.size()));
        return new JsonArray(result);
    }

    private Map<Json, Integer> places(List<Json> items) {
        var places = new TreeMap<Json, Integer>(JsonOrder.INSTANCE);
        for (var i = 0; i < items.size(); i++) {
            places.putIfAbsent(key(items.get(i)), i);
        }
        return places;
    }

    private int place(Map<Json, Integer> places, Json item) {
        return places.getOrDefault(key(item), -1);
    }

    /// The items of the patch must be in `$setElementOrder`, in its order.
    private void checkOrder(List<Json> patch, List<Json> order) {
        if (patch.isEmpty() || order.isEmpty()) {
            return;
        }
        var at = 0;
        for (var item : patch) {
            if (item instanceof JsonObject object
                    && object.members().containsKey(StrategicMergePatch.DIRECTIVE)) {
                continue;
            }
            var key = key(item);
            while (at < order.size() && !key(order.get(at)).equals(key)) {
                at++;
            }
            if (at == order.size()) {
                throw PatchException.badRequest(
                        "The order in patch list:\n%s\n doesn't match $setElementOrder list:\n%s\n"
                                .formatted(
                                        GoValueText.of(Json.array(patch)),
                                        GoValueText.of(Json.array(order))));
            }
            at++;
        }
    }

    /// The merge key of an item.
    private Json key(Json item) {
        if (type.patchKey().isEmpty()) {
            return item;
        }
        if (!(item instanceof JsonObject object)) {
            throw PatchException.badRequest(
                    "expected a map[string]interface {}, but received a %s"
                            .formatted(GoValueText.type(item)));
        }
        var key = object.members().get(type.patchKey());
        if (key == null) {
            throw PatchException.badRequest(
                    "map: %s does not contain declared merge key: %s"
                            .formatted(GoValueText.of(item), type.patchKey()));
        }
        return key;
    }

    /// As [#key], for items that may lack the key: those equal only themselves.
    private Json keyOf(Json item) {
        var key = ((JsonObject) item).members().get(type.patchKey());
        return key == null ? item : key;
    }

    private static List<Json> plain(List<Json> items) {
        return items.stream().flatMap(item -> StrategicMergePatch.plain(item).stream()).toList();
    }

    private static boolean ofObjects(List<Json> live, List<Json> patch) {
        var kinds = new LinkedHashSet<String>();
        for (var list : List.of(live, patch)) {
            for (var item : list) {
                if (item instanceof JsonArray) {
                    throw PatchException.unprocessable("lists of lists are not supported");
                }
                kinds.add(item.kindName());
            }
        }
        if (kinds.size() > 1) {
            throw PatchException.badRequest(
                    "list element types are not identical: [%s %s]"
                            .formatted(
                                    GoValueText.of(Json.array(live)),
                                    GoValueText.of(Json.array(patch))));
        }
        return kinds.contains("object");
    }
}
