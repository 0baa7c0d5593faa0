package dev.berth.dashboard.fleet;

import dev.berth.model.api.node.Node;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Groups of nodes by topology: zones, blocks, racks and NVLink cliques, from labels of nodes.
final class TopologyGroups {

    /// A level of the topology, and the last parts of the names of labels that give it.
    private enum Level {
        ZONE("zone"),
        BLOCK("block"),
        RACK("rack"),
        CLIQUE("gpu.clique");

        private final String ending;

        Level(String ending) {
            this.ending = ending;
        }

        boolean isGivenBy(String label) {
            var name = label.substring(label.lastIndexOf('/') + 1);
            return name.equals(ending)
                    || name.endsWith("-" + ending)
                    || name.endsWith("." + ending);
        }

        String text() {
            return this == CLIQUE ? "clique" : ending;
        }
    }

    private record Group(String level, String name) {}

    private final Map<Group, Integer> ids = new LinkedHashMap<>();
    private final Map<String, String> keys = new LinkedHashMap<>();
    private final List<JsonObject> added = new ArrayList<>();

    /// The groups of a node, the largest first.
    List<Integer> of(Node node) {
        var groups = new ArrayList<Integer>();
        for (var level : Level.values()) {
            for (var label : node.labels().entrySet()) {
                if (level.isGivenBy(label.getKey()) && !label.getValue().isEmpty()) {
                    keys.putIfAbsent(level.text(), label.getKey());
                    groups.add(id(new Group(level.text(), label.getValue())));
                    break;
                }
            }
        }
        return groups;
    }

    private int id(Group group) {
        var known = ids.get(group);
        if (known != null) {
            return known;
        }
        var id = ids.size();
        ids.put(group, id);
        added.add(json(group, id));
        return id;
    }

    private static JsonObject json(Group group, int id) {
        return JsonObject.of("id", Json.of(id))
                .with("level", Json.of(group.level))
                .with("name", Json.of(group.name));
    }

    /// The groups that were added since the last call.
    List<JsonObject> takeAdded() {
        var taken = List.copyOf(added);
        added.clear();
        return taken;
    }

    List<JsonObject> all() {
        return ids.entrySet().stream().map(one -> json(one.getKey(), one.getValue())).toList();
    }

    List<JsonObject> levels() {
        return keys.entrySet().stream()
                .map(one ->
                        JsonObject.of("level", Json.of(one.getKey()))
                                .with("key", Json.of(one.getValue())))
                .toList();
    }
}
