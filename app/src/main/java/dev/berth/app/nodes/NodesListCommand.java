package dev.berth.app.nodes;

import dev.berth.app.cluster.LiveObjects;
import dev.berth.app.print.OutputOption;
import dev.berth.app.print.TextTable;
import dev.berth.app.remote.ClusterOptions;
import dev.berth.client.config.ConfigException;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.YamlWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `berth nodes list`: lists the nodes of a cluster with profile, devices and state.
@Command(
        name = "list",
        description = "List the nodes of a cluster with profile, state and devices by driver.",
        mixinStandardHelpOptions = true,
        exitCodeList = {"0:listed", "1:the cluster does not answer", "2:no cluster was found"},
        footer = {"Examples:", "  berth nodes list", "  berth nodes list -o json"})
final class NodesListCommand implements Callable<Integer> {

    private static final int NO_CLUSTER = 2;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private ClusterOptions where = new ClusterOptions();

    @Mixin private OutputOption output = new OutputOption();

    /// A row of the list.
    ///
    /// @param devices the number of devices by driver
    private record Row(String name, String profile, Map<String, Integer> devices, String state) {}

    @Override
    public Integer call() {
        try (var cluster = where.connect(spec.commandLine(), "berth")) {
            var devices = devices(new LiveObjects(cluster));
            print(
                    SimulatedNodes.all(cluster).stream()
                            .map(node ->
                                    new Row(
                                            SimulatedNodes.name(node),
                                            SimulatedNodes.profile(node),
                                            devices.getOrDefault(
                                                    SimulatedNodes.name(node), Map.of()),
                                            SimulatedNodes.state(node)))
                            .toList());
            return 0;
        } catch (ConfigException e) {
            spec.commandLine().getErr().println("berth: " + e.getMessage());
            return NO_CLUSTER;
        }
    }

    private static Map<String, Map<String, Integer>> devices(LiveObjects live) {
        var byNode = new HashMap<String, Map<String, Integer>>();
        for (var slice : live.all(Kinds.RESOURCE_SLICE).orThrow(IllegalStateException::new)) {
            if (slice.spec().scope() instanceof NodeScope.OneNode(var node)) {
                byNode.computeIfAbsent(node, _ -> new TreeMap<>())
                        .merge(slice.spec().driver(), slice.spec().devices().size(), Integer::sum);
            }
        }
        return byNode;
    }

    private void print(List<Row> rows) {
        var out = spec.commandLine().getOut();
        switch (output.format()) {
            case TEXT -> {
                var table = new TextTable("NAME", "PROFILE", "STATE", "DEVICES");
                for (var row : rows) {
                    var devices =
                            row.devices.entrySet().stream()
                                    .map(one -> one.getValue() + " " + one.getKey())
                                    .collect(Collectors.joining(", "));
                    table.add(
                            row.name,
                            row.profile.isEmpty() ? "-" : row.profile,
                            row.state,
                            devices.isEmpty() ? "-" : devices);
                }
                out.print(table);
            }
            case JSON -> out.print(JsonWriter.pretty(tree(rows)));
            case YAML -> out.print(YamlWriter.write(tree(rows)));
        }
        out.flush();
    }

    private static JsonObject tree(List<Row> rows) {
        var nodes =
                rows.stream()
                        .map(row -> {
                            var devices = JsonObject.EMPTY;
                            for (var one : row.devices.entrySet()) {
                                devices =
                                        devices.with(
                                                one.getKey(), Json.of(one.getValue().longValue()));
                            }
                            return JsonObject.of("name", Json.of(row.name))
                                    .with("profile", Json.of(row.profile))
                                    .with("state", Json.of(row.state))
                                    .with("devices", devices);
                        })
                        .toList();
        return JsonObject.of("nodes", Json.array(nodes));
    }
}
