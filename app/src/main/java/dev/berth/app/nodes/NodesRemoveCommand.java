package dev.berth.app.nodes;

import dev.berth.app.remote.ClusterOptions;
import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.config.ConfigException;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth nodes remove`: deletes simulated nodes.
@Command(
        name = "remove",
        description = {
            "Remove simulated nodes with their devices.",
            "",
            "Their pods are deleted within a minute; controllers create new ones elsewhere. The"
                    + " nodes stay removed after a restart."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "0:all nodes are removed",
            "1:a node does not exist or is not simulated; none was removed",
            "2:usage error, or no cluster was found"
        },
        footer = {"Examples:", "  berth nodes remove h100x8-2 h100x8-3"})
final class NodesRemoveCommand implements Callable<Integer> {

    private static final int NO_CLUSTER = 2;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "NAME", arity = "1..*", description = "Names of simulated nodes.")
    private List<String> names = List.of();

    @Mixin private ClusterOptions where = new ClusterOptions();

    @Override
    public Integer call() {
        try (var cluster = where.connect(spec.commandLine(), "berth")) {
            var nodes = new ArrayList<JsonObject>();
            for (var name : names) {
                nodes.add(simulated(cluster, name));
            }
            for (var node : nodes) {
                delete(cluster, node);
            }
            return 0;
        } catch (ConfigException e) {
            spec.commandLine().getErr().println("berth: " + e.getMessage());
            return NO_CLUSTER;
        }
    }

    private static JsonObject simulated(Cluster cluster, String name) {
        return switch (cluster.send(new Request.Get(SimulatedNodes.NODES, "", name))) {
            case RequestResult.Done(var node) when !SimulatedNodes.profile(node).isEmpty() -> node;
            case RequestResult.Done _ ->
                    throw new IllegalStateException(
                            "node %s is not a simulated node; `kubectl delete node %s` deletes it"
                                    .formatted(name, name));
            case RequestResult.Missing _ ->
                    throw new IllegalStateException(
                            "node %s does not exist; `berth nodes list` lists the nodes"
                                    .formatted(name));
            case RequestResult failure ->
                    throw new IllegalStateException(
                            "cannot read node %s: %s".formatted(name, failure.message()));
        };
    }

    private void delete(Cluster cluster, JsonObject node) {
        var name = SimulatedNodes.name(node);
        var uid = node.objectOrEmpty("metadata").text("uid");
        var outcome =
                cluster.send(
                        new Request.Delete(
                                SimulatedNodes.NODES,
                                "",
                                name,
                                Optional.of(uid),
                                OptionalLong.empty()));
        if (!outcome.isDone() && !(outcome instanceof RequestResult.Missing)) {
            throw new IllegalStateException(
                    "cannot remove node %s: %s".formatted(name, outcome.message()));
        }
        spec.commandLine().getOut().println("node/" + name + " removed");
        spec.commandLine().getOut().flush();
    }
}
