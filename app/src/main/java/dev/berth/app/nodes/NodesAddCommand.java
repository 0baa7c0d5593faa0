package dev.berth.app.nodes;

import dev.berth.app.print.Progress;
import dev.berth.app.remote.ClusterOptions;
import dev.berth.app.remote.SimulatorAnnotation;
import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.config.ConfigException;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth nodes add`: creates simulated nodes.
@Command(
        name = "add",
        description = {
            "Add simulated nodes and wait until they are ready.",
            "",
            "The names are those of the profile with the lowest free numbers. DeviceClasses of the"
                    + " drivers of a new profile are created."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "0:all nodes are ready",
            "1:a profile is unknown, the cluster has no simulator, or nodes were not ready in time",
            "2:usage error, or no cluster was found"
        },
        footer = {
            "Examples:",
            "  berth nodes add h100x8=2",
            "  berth nodes add h100x8=2 tpu-v5e --timeout 120"
        })
final class NodesAddCommand implements Callable<Integer> {

    private static final int NO_CLUSTER = 2;
    private static final int MAX_NODES = 100_000;
    private static final int POLL_MILLIS = 100;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "PROFILE[=COUNT]",
            arity = "1..*",
            split = ",",
            description =
                    "Hardware profiles, as berth up --list-profiles lists them, and numbers of"
                            + " nodes (default: 1).")
    private List<String> wanted = List.of();

    @Option(
            names = "--timeout",
            defaultValue = "60",
            paramLabel = "SECONDS",
            description = "How long to wait until the nodes are ready.")
    private int timeoutSeconds = 60;

    @Mixin private ClusterOptions where = new ClusterOptions();

    @Override
    public Integer call() throws InterruptedException {
        var counts = counts();
        try (var cluster = where.connect(spec.commandLine(), "berth")) {
            if (!SimulatorAnnotation.isSet(cluster)) {
                throw new IllegalStateException(
                        "this cluster has no node simulator: it was not started by berth up;"
                                + " nothing was created");
            }
            var created = create(cluster, counts);
            await(cluster, created);
            created.forEach(name -> spec.commandLine().getOut().println("node/" + name + " added"));
            spec.commandLine().getOut().flush();
            return 0;
        } catch (ConfigException e) {
            spec.commandLine().getErr().println("berth: " + e.getMessage());
            return NO_CLUSTER;
        }
    }

    private Map<String, Integer> counts() {
        var counts = new LinkedHashMap<String, Integer>();
        for (var part : wanted) {
            var sides = part.split("=", 2);
            var count = sides.length == 1 ? "1" : sides[1];
            if (sides[0].isBlank()
                    || !count.matches("[0-9]{1,6}")
                    || Integer.parseInt(count) < 1
                    || Integer.parseInt(count) > MAX_NODES) {
                throw new ParameterException(
                        spec.commandLine(),
                        "\"%s\" is not PROFILE or PROFILE=COUNT with a count from 1 to %d"
                                .formatted(part, MAX_NODES));
            }
            counts.merge(sides[0], Integer.parseInt(count), Integer::sum);
        }
        return counts;
    }

    private static List<String> create(Cluster cluster, Map<String, Integer> counts) {
        var taken = new HashSet<String>();
        SimulatedNodes.all(cluster).forEach(node -> taken.add(SimulatedNodes.name(node)));
        var created = new ArrayList<String>();
        counts.forEach((profile, count) -> {
            for (var i = 0; i < count; i++) {
                created.add(create(cluster, profile, taken));
            }
        });
        return created;
    }

    /// Creates a node with the lowest free number.
    private static String create(Cluster cluster, String profile, Set<String> taken) {
        for (var number = 0; ; number++) {
            var name = profile + "-" + number;
            if (taken.add(name)) {
                var node = SimulatedNodes.fresh(name, profile);
                var outcome = cluster.send(Request.Create.of(SimulatedNodes.NODES, "", node));
                if (outcome.isDone()) {
                    return name;
                }
                if (!(outcome instanceof RequestResult.Exists)) {
                    throw new IllegalStateException(
                            "cannot create node %s: %s".formatted(name, outcome.message()));
                }
            }
        }
    }

    private void await(Cluster cluster, List<String> created) throws InterruptedException {
        var progress = new Progress(spec.commandLine().getErr());
        var left = new ArrayList<>(created);
        var end = System.nanoTime() + Duration.ofSeconds(timeoutSeconds).toNanos();
        while (true) {
            var iterator = left.iterator();
            while (iterator.hasNext()) {
                var node = get(cluster, iterator.next());
                var problem =
                        SimulatedNodes.message(node, SimulatedNodes.PROFILE_CONDITION, "False");
                if (!problem.isEmpty()) {
                    progress.clear();
                    created.forEach(name -> delete(cluster, name));
                    throw new IllegalStateException(problem);
                }
                if (!SimulatedNodes.isReady(node)) {
                    break;
                }
                iterator.remove();
            }
            if (left.isEmpty()) {
                progress.clear();
                return;
            }
            if (System.nanoTime() > end) {
                progress.clear();
                throw new IllegalStateException(
                        "%d of %d nodes are not ready after %d s: %s; they stay in the cluster"
                                .formatted(
                                        left.size(),
                                        created.size(),
                                        timeoutSeconds,
                                        String.join(", ", left)));
            }
            progress.show(
                    "waiting for nodes: %d of %d are ready"
                            .formatted(created.size() - left.size(), created.size()));
            Thread.sleep(POLL_MILLIS);
        }
    }

    private static JsonObject get(Cluster cluster, String name) {
        return cluster.send(new Request.Get(SimulatedNodes.NODES, "", name))
                        instanceof RequestResult.Done(var node)
                ? node
                : JsonObject.EMPTY;
    }

    private static void delete(Cluster cluster, String name) {
        cluster.send(
                new Request.Delete(
                        SimulatedNodes.NODES, "", name, Optional.empty(), OptionalLong.empty()));
    }
}
