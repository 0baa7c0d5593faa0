package dev.berth.dashboard.fleet;

import dev.berth.core.inventory.PoolView;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.taint.NodeTaintEffect;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// JSON of the rows of the fleet, without the state of devices.
final class NodeJson {

    private static final List<String> COLUMNS =
            List.of(
                    "id",
                    "name",
                    "shape",
                    "groups",
                    "state",
                    "holds",
                    "units",
                    "amounts",
                    "flags",
                    "taints",
                    "health",
                    "attach",
                    "ghosts",
                    "unusable");

    private NodeJson() {}

    static JsonObject of(Node node, int id, int shape, List<Integer> groups) {
        var tree =
                JsonObject.of("id", Json.of(id))
                        .with("name", Json.of(node.name()))
                        .with("shape", Json.of(shape));
        tree = groups.isEmpty() ? tree : tree.with("groups", JsonLists.integers(groups));
        var flags = flags(node);
        return flags.isEmpty() ? tree : tree.with("flags", JsonLists.texts(flags));
    }

    private static List<String> flags(Node node) {
        var flags = new ArrayList<String>();
        var isUnready =
                node.status().conditions().stream()
                        .anyMatch(one -> one.type().equals("Ready") && !one.isTrue());
        if (isUnready) {
            flags.add("NotReady");
        }
        if (node.spec().unschedulable()) {
            flags.add("Unschedulable");
        }
        if (node.spec().taints().stream()
                .anyMatch(taint -> taint.effect() == NodeTaintEffect.Known.NO_EXECUTE)) {
            flags.add("NoExecute");
        }
        return flags;
    }

    static JsonObject of(NetworkPools.NetworkPool pool, int id, int shape, List<Integer> reach) {
        var tree =
                JsonObject.of("id", Json.of(id))
                        .with("name", Json.of(pool.pool().pool()))
                        .with("driver", Json.of(pool.pool().driver()))
                        .with("shape", Json.of(shape));
        return pool.isForAllNodes()
                ? tree.with("all", Json.of(true))
                : tree.with("reach", JsonLists.integers(reach));
    }

    /// The pools of a node that cannot be used.
    static List<JsonObject> unusable(List<PoolView> views) {
        return views.stream()
                .filter(view -> !view.isUsable())
                .map(view ->
                        JsonObject.of("driver", Json.of(view.id().driver()))
                                .with("pool", Json.of(view.id().pool()))
                                .with("reason", Json.of(reason(view.status()))))
                .toList();
    }

    private static String reason(PoolView.Status status) {
        return switch (status) {
            case PoolView.Status.Complete _ -> "";
            case PoolView.Status.Incomplete(var present, var expected) ->
                    "incomplete: %d of %d slices exist".formatted(present, expected);
            case PoolView.Status.Malformed(var reason) -> reason;
            case PoolView.Status.Invalid(var reason) -> "invalid: " + reason;
        };
    }

    /// Rows as columns of equal length.
    static JsonObject columns(Collection<FleetRow> rows) {
        var columns = JsonObject.EMPTY;
        for (var name : COLUMNS) {
            columns =
                    columns.with(
                            name,
                            Json.array(
                                    rows.stream()
                                            .map(row ->
                                                    row.json()
                                                            .member(name)
                                                            .orElse(Json.JsonArray.EMPTY))
                                            .toList()));
        }
        return columns;
    }
}
