package dev.berth.app.plan;

import dev.berth.app.cluster.ClusterSource;
import dev.berth.app.manifest.GateOptions;
import dev.berth.app.manifest.LeniencyOptions;
import dev.berth.app.print.Output;
import dev.berth.core.allocate.SearchPolicy;
import dev.berth.core.place.Features;
import dev.berth.core.plan.NodeCopies;
import dev.berth.core.plan.Plan;
import dev.berth.core.plan.Planner;
import dev.berth.core.plan.Scenario;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.YamlWriter;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `berth plan`: where the pods of a workload would go in a cluster of files, or in one that runs.
@Command(
        name = "plan",
        description = {
            "Say where pods would go, which devices they would get, and what would stay pending.",
            "Nodes, slices, classes, taint rules, claims and pods that have a node describe the",
            "cluster; pods without a node, deployments, jobs and the like are the workload.",
            "Pods are placed one after the other, each takes from those that follow."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything fits",
            "1:something stays pending",
            "2:the command line is wrong, or a file cannot be read"
        },
        footer = {
            "",
            "Examples:",
            "  berth plan -f cluster/ -f training.yaml",
            "  berth plan --live -f training.yaml",
            "  berth plan -f cluster/ -f training.yaml --replicas 40 -o json",
            "  berth plan -f cluster/ -f training.yaml --add-nodes node-1=16",
            ""
        })
public final class PlanCommand implements Callable<Integer> {

    private static final int BAD_INPUT = 2;
    private static final int DEFAULT_MORE_NODES = 100;
    private static final int MAX_MORE_NODES = 100_000;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--replicas",
            paramLabel = "N",
            description = "Make N pods of each pod, deployment, job and the like.")
    private Optional<Integer> replicas = Optional.empty();

    @Option(
            names = "--policy",
            defaultValue = "kubernetes",
            paramLabel = "POLICY",
            description = "Which devices and nodes to prefer: ${COMPLETION-CANDIDATES}.")
    private SearchPolicy policy = SearchPolicy.KUBERNETES;

    @Option(
            names = "--add-nodes",
            paramLabel = "NODE[=N]",
            description = {
                "How many more nodes like NODE are needed, N at most (100 unless given)?",
                "Each gets copies of the devices that are NODE's own."
            })
    private Optional<String> addNodes = Optional.empty();

    @Option(
            names = {"-o", "--output"},
            defaultValue = "table",
            paramLabel = "FORMAT",
            description = "${COMPLETION-CANDIDATES}.")
    private Output output = Output.TABLE;

    @Mixin private ClusterSource source = new ClusterSource();

    @Mixin private GateOptions gates = new GateOptions();

    @Mixin private LeniencyOptions leniency = new LeniencyOptions();

    @Override
    public Integer call() {
        if (replicas.filter(number -> number < 0).isPresent()) {
            throw wrong("--replicas: must not be negative");
        }
        var featureGates = gates.gates(spec.commandLine());
        var cluster = source.read(spec.commandLine(), featureGates);
        var number = replicas.map(OptionalInt::of).orElseGet(OptionalInt::empty);
        var scenario = cluster.scenario(number);
        if (!cluster.problems().isEmpty()) {
            cluster.problems().forEach(p -> spec.commandLine().getErr().println("berth: " + p));
            return BAD_INPUT;
        }
        var progress = new TerminalProgress(spec.commandLine().getErr());
        var planner =
                new Planner(
                        leniency.allocator(),
                        Features.of(featureGates),
                        policy,
                        () -> UUID.randomUUID().toString(),
                        progress);
        var plan =
                addNodes.map(wish -> grown(planner, scenario, wish))
                        .orElseGet(() -> planner.plan(scenario));
        print(plan, progress);
        return plan.everythingFits() ? 0 : 1;
    }

    private Plan grown(Planner planner, Scenario scenario, String wish) {
        var split = wish.lastIndexOf('=');
        var node = split < 0 ? wish : wish.substring(0, split);
        var limit = split < 0 ? DEFAULT_MORE_NODES : limit(wish.substring(split + 1));
        var copies =
                NodeCopies.of(scenario, node)
                        .orElseThrow(() ->
                                wrong(
                                        "--add-nodes: there is no node %s in the cluster"
                                                .formatted(node)));
        return planner.plan(scenario, copies, limit);
    }

    private int limit(String text) {
        if (text.matches("[0-9]{1,6}") && Integer.parseInt(text) <= MAX_MORE_NODES) {
            return Integer.parseInt(text);
        }
        throw wrong("--add-nodes: %s is not a number up to %d".formatted(text, MAX_MORE_NODES));
    }

    private void print(Plan plan, TerminalProgress progress) {
        progress.clear();
        var out = spec.commandLine().getOut();
        switch (output) {
            case TABLE -> out.print(PlanText.of(plan));
            case JSON -> out.print(JsonWriter.pretty(PlanTree.of(plan)));
            case YAML -> out.print(YamlWriter.write(PlanTree.of(plan)));
        }
        out.flush();
    }

    private ParameterException wrong(String text) {
        return new ParameterException(spec.commandLine(), text);
    }
}
