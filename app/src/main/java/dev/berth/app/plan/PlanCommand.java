package dev.berth.app.plan;

import dev.berth.app.cluster.ClusterSource;
import dev.berth.app.manifest.GateOptions;
import dev.berth.app.manifest.LeniencyOptions;
import dev.berth.app.print.OutputFormat;
import dev.berth.app.print.OutputOption;
import dev.berth.app.print.Palette;
import dev.berth.app.print.Terminal;
import dev.berth.app.print.TerminalWriter;
import dev.berth.app.schedule.PolicyConverter;
import dev.berth.app.schedule.PolicyNames;
import dev.berth.core.place.PlacementFeatures;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.plan.NodeCopies;
import dev.berth.core.plan.Plan;
import dev.berth.core.plan.PlanChanges;
import dev.berth.core.plan.PlanInput;
import dev.berth.core.plan.Planner;
import dev.berth.model.api.node.Node;
import dev.berth.model.text.SimilarNames;
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

/// `berth plan`: shows where the pods of a workload would be scheduled in a cluster from files or
/// in a running cluster.
@Command(
        name = "plan",
        description = {
            "Plan where pods would be scheduled, with which devices, and which would stay pending.",
            "",
            "Nodes, slices, classes, taint rules, claims and pods with a node describe the cluster."
                    + " Pods without a node, Deployments, Jobs and other workloads are planned."
                    + " Pods are placed one after the other, as a scheduler would.",
            "",
            "--release, --tolerate and --remove-nodes change the cluster before pods are planned."
                    + " The result has the devices in use and what still fits before and after."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "0:all pods fit",
            "1:some pods stay pending",
            "2:usage error, or a file or the cluster cannot be read"
        },
        footer = {
            "Examples:",
            "  berth plan -f cluster/ -f training.yaml",
            "  berth plan --live -f training.yaml",
            "  berth plan -f cluster/ -f training.yaml --replicas 40 -o json",
            "  berth plan -f cluster/ -f training.yaml --add-nodes node-1=16",
            "  berth plan --live --release ml/notebook --tolerate example.com/hot:NoSchedule",
            "  berth plan --live --remove-nodes node-1,node-2"
        })
public final class PlanCommand implements Callable<Integer> {

    private static final int BAD_INPUT = 2;
    private static final int DEFAULT_MORE_NODES = 100;
    private static final int MAX_MORE_NODES = 100_000;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--replicas",
            paramLabel = "N",
            description = "Number of pods to plan for each pod and workload of the files.")
    private Optional<Integer> replicas = Optional.empty();

    @Option(
            names = "--policy",
            defaultValue = "kubernetes",
            paramLabel = "POLICY",
            converter = PolicyConverter.class,
            completionCandidates = PolicyNames.class,
            description =
                    "Preferred nodes and devices: a policy, or several in order as in"
                            + " aligned,pack.")
    private PlacementPolicy policy = PlacementPolicy.KUBERNETES;

    @Option(
            names = "--add-nodes",
            paramLabel = "NODE[=N]",
            description =
                    "Find out how many more nodes like NODE are needed, up to N (default: 100)."
                            + " Each gets copies of the devices of NODE.")
    private Optional<String> addNodes = Optional.empty();

    @Mixin private ChangeOptions changeOptions = new ChangeOptions();

    @Mixin private OutputOption output = new OutputOption();

    @Mixin private ClusterSource source = new ClusterSource();

    @Mixin private GateOptions gates = new GateOptions();

    @Mixin private LeniencyOptions leniency = new LeniencyOptions();

    @Override
    public Integer call() {
        if (replicas.filter(number -> number < 0).isPresent()) {
            throw wrong("--replicas must not be negative");
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
                        PlacementFeatures.of(featureGates),
                        policy,
                        () -> UUID.randomUUID().toString(),
                        progress);
        var changes = changeOptions.changes(scenario);
        var plan =
                addNodes.map(nodesOption -> grown(planner, scenario, changes, nodesOption))
                        .orElseGet(() -> planner.plan(scenario, changes));
        print(plan, progress);
        return plan.everythingFits() ? 0 : 1;
    }

    private Plan grown(
            Planner planner, PlanInput scenario, PlanChanges changes, String nodesOption) {
        var split = nodesOption.lastIndexOf('=');
        var node = split < 0 ? nodesOption : nodesOption.substring(0, split);
        var limit = split < 0 ? DEFAULT_MORE_NODES : limit(nodesOption.substring(split + 1));
        var copies =
                NodeCopies.of(scenario, node)
                        .orElseThrow(() ->
                                wrong(
                                        "--add-nodes: unknown node %s%s"
                                                .formatted(node, similar(scenario, node))));
        return planner.plan(scenario, changes, copies, limit);
    }

    private static String similar(PlanInput scenario, String node) {
        var names = scenario.nodes().stream().map(Node::name).toList();
        return SimilarNames.question(node, names)
                .map(question -> "; " + question)
                .orElse("; give the name of a node of the cluster");
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
        if (output.format() == OutputFormat.TEXT) {
            var text = PlanText.of(plan, Palette.ofTerminal(), Terminal.width());
            TerminalWriter.printStyled(out, text);
        } else {
            out.print(output.render(String::new, () -> PlanJson.of(plan)));
        }
        out.flush();
    }

    private ParameterException wrong(String text) {
        return new ParameterException(spec.commandLine(), text);
    }
}
