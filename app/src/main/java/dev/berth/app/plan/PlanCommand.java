package dev.berth.app.plan;

import dev.berth.app.cluster.ClusterFiles;
import dev.berth.app.cluster.ClusterSource;
import dev.berth.app.cluster.ReplicaCount;
import dev.berth.app.manifest.GateOptions;
import dev.berth.app.manifest.LeniencyOptions;
import dev.berth.app.manifest.ManifestAdmission;
import dev.berth.app.print.OutputFormat;
import dev.berth.app.print.OutputOption;
import dev.berth.app.print.Palette;
import dev.berth.app.print.Terminal;
import dev.berth.app.print.TerminalWriter;
import dev.berth.app.schedule.PolicyConverter;
import dev.berth.app.schedule.PolicyNames;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.place.PlacementFeatures;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.plan.Plan;
import dev.berth.core.plan.PlanChanges;
import dev.berth.core.plan.PlanInput;
import dev.berth.core.plan.PlanJson;
import dev.berth.core.plan.Planner;
import java.time.Clock;
import java.util.Optional;
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
                    + " The result has the devices in use and what still fits before and after.",
            "",
            "--defragment prints evictions that make room for pending pods, as commands to be run"
                    + " one after the other."
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
            "  berth plan --live -f training.yaml --more 8",
            "  berth plan -f cluster/ -f training.yaml --add-nodes node-1=16",
            "  berth plan --live -f training.yaml --add-nodes profile:h100-mig=4,profile:h100x8",
            "  berth plan --live --release ml/notebook --tolerate example.com/hot:NoSchedule",
            "  berth plan --live --remove-nodes node-1,node-2",
            "  berth plan --live --defragment --for gpu.nvidia.com=8 --budget 4"
        })
public final class PlanCommand implements Callable<Integer> {

    private static final int BAD_INPUT = 2;
    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--replicas",
            paramLabel = "N",
            description =
                    "Scale each pod and workload of the files to N pods. Pods that exist count.")
    private Optional<Integer> replicas = Optional.empty();

    @Option(
            names = "--more",
            paramLabel = "N",
            description =
                    "Plan N pods for each pod and workload of the files, beside those that exist.")
    private Optional<Integer> more = Optional.empty();

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

    @Mixin private AddNodesOption addNodes = new AddNodesOption();

    @Mixin private DefragmentOptions defragment = new DefragmentOptions();

    @Mixin private ChangeOptions changeOptions = new ChangeOptions();

    @Mixin private OutputOption output = new OutputOption();

    @Mixin private ClusterSource source = new ClusterSource();

    @Mixin private GateOptions gates = new GateOptions();

    @Mixin private LeniencyOptions leniency = new LeniencyOptions();

    @Override
    public Integer call() {
        var count = replicaCount();
        var featureGates = gates.gates(spec.commandLine());
        var cluster = source.readWithLimits(spec.commandLine(), featureGates);
        var scenario = cluster.scenario(count);
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
        if (defragment.isDefragmenting()) {
            return defragmented(planner, cluster, scenario, changes, featureGates, progress);
        }
        var kinds = addNodes.copies(scenario, featureGates, Clock.systemUTC().instant());
        var plan =
                kinds.isEmpty()
                        ? planner.plan(scenario, changes)
                        : planner.plan(scenario, changes, kinds);
        print(plan, progress);
        return plan.everythingFits() ? 0 : 1;
    }

    private int defragmented(
            Planner planner,
            ClusterFiles cluster,
            PlanInput scenario,
            PlanChanges changes,
            FeatureGates featureGates,
            TerminalProgress progress) {
        if (!addNodes.isEmpty()) {
            throw wrong("--defragment and --add-nodes exclude each other");
        }
        var budgets =
                cluster.budgets()
                        .orElseThrow(() ->
                                wrong(
                                        "--defragment needs to read poddisruptionbudgets, so"
                                                + " that no eviction breaks one"));
        var now = Clock.systemUTC().instant();
        var size = defragment.size(scenario, new ManifestAdmission(featureGates, now));
        var result = planner.defragment(scenario, changes, budgets, size, defragment.budget());
        progress.clear();
        var out = spec.commandLine().getOut();
        if (output.format() == OutputFormat.TEXT) {
            out.print(DefragmentText.of(result, defragment.budget(), Terminal.width()));
        } else {
            try (var writer = output.structured(out)) {
                DefragmentJson.write(result, writer);
            }
        }
        out.flush();
        return result.plan().unserved().isEmpty() ? 0 : 1;
    }

    private ReplicaCount replicaCount() {
        if (replicas.isPresent() && more.isPresent()) {
            throw wrong(
                    "--replicas and --more exclude each other: --replicas counts the pods that"
                            + " exist, --more does not");
        }
        if (replicas.filter(number -> number < 0).isPresent()) {
            throw wrong("--replicas must not be negative");
        }
        if (more.filter(number -> number < 0).isPresent()) {
            throw wrong("--more must not be negative");
        }
        return replicas.<ReplicaCount>map(ReplicaCount.ScaleTo::new)
                .or(() -> more.map(ReplicaCount.More::new))
                .orElseGet(ReplicaCount.AsWritten::new);
    }

    private void print(Plan plan, TerminalProgress progress) {
        progress.clear();
        var out = spec.commandLine().getOut();
        if (output.format() == OutputFormat.TEXT) {
            var text = PlanText.of(plan, Palette.ofTerminal(), Terminal.width());
            TerminalWriter.printStyled(out, text);
        } else {
            try (var writer = output.structured(out)) {
                PlanJson.write(plan, writer);
            }
        }
        out.flush();
    }

    private ParameterException wrong(String text) {
        return new ParameterException(spec.commandLine(), text);
    }
}
