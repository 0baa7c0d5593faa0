package dev.berth.dashboard.fleet;

import dev.berth.core.utilisation.ClusterUtilisation;
import dev.berth.core.utilisation.UtilisationJson;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Counts of the device classes, as last sent.
final class ClassCounts {

    private final Map<String, JsonObject> known = new TreeMap<>();

    Json json() {
        return Json.array(List.copyOf(known.values()));
    }

    /// Classes that changed, and the names of removed ones, as members of an event.
    ///
    /// @param shapes all shapes of nodes; the most frequent kind of the devices is that of the
    ///   class
    JsonObject changed(ClusterUtilisation utilisation, Collection<NodeShape> shapes) {
        var kinds = kinds(shapes);
        var changed = new ArrayList<JsonObject>();
        var seen = new HashSet<String>();
        for (var item : ((Json.JsonArray) UtilisationJson.of(utilisation)).items()) {
            var now = of((JsonObject) item, kinds);
            var name = now.text("name");
            seen.add(name);
            if (!now.equals(known.put(name, now))) {
                changed.add(now);
            }
        }
        var removed = known.keySet().stream().filter(name -> !seen.contains(name)).toList();
        known.keySet().retainAll(seen);
        var tree =
                changed.isEmpty()
                        ? JsonObject.EMPTY
                        : JsonObject.of("classes", Json.array(changed));
        return removed.isEmpty() ? tree : tree.with("removedClasses", JsonLists.texts(removed));
    }

    private static JsonObject of(JsonObject one, Map<String, DeviceKind> kinds) {
        var name = one.text("class");
        return one.without("class")
                .without("nodes")
                .with("kind", Json.of(kinds.getOrDefault(name, DeviceKind.OTHER).letter()))
                .beginningWith(JsonObject.of("name", Json.of(name)));
    }

    private static Map<String, DeviceKind> kinds(Collection<NodeShape> shapes) {
        var counts = new HashMap<String, Map<DeviceKind, Integer>>();
        for (var shape : shapes) {
            for (var device : shape.devices()) {
                for (var name : device.classes()) {
                    counts.computeIfAbsent(name, _ -> new EnumMap<>(DeviceKind.class))
                            .merge(device.kind(), 1, Integer::sum);
                }
            }
        }
        var kinds = new HashMap<String, DeviceKind>();
        counts.forEach((name, all) ->
                all.entrySet().stream()
                        .max(Map.Entry.comparingByValue())
                        .ifPresent(most -> kinds.put(name, most.getKey())));
        return kinds;
    }
}
