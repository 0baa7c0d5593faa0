package dev.berth.app.explain;

import dev.berth.app.cluster.ClusterFiles;
import dev.berth.app.cluster.ClusterSource;
import dev.berth.app.cluster.WorkloadState;
import dev.berth.app.explain.ExplainTarget.TargetKind;
import dev.berth.app.manifest.GateOptions;
import dev.berth.app.manifest.LeniencyOptions;
import dev.berth.app.print.OutputFormat;
import dev.berth.app.print.OutputOption;
import dev.berth.app.print.Palette;
import dev.berth.app.print.Palette.Style;
import dev.berth.app.print.TerminalText;
import dev.berth.app.print.TerminalWriter;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.explain.ClusterObjects;
import dev.berth.core.explain.DeviceMatrix;
import dev.berth.core.explain.ExplainOptions;
import dev.berth.core.explain.Explainer;
import dev.berth.core.explain.Explanation;
import dev.berth.core.explain.text.DeviceMatrixText;
import dev.berth.core.explain.text.ExplanationJson;
import dev.berth.core.explain.text.ExplanationText;
import dev.berth.core.place.PlacementFeatures;
import dev.berth.core.schedule.ClaimInspection;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.json.JsonObject;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth explain`: explains where the claims of a pod fit, or why they fit nowhere.
@Command(
        name = "explain",
        description = {
            "Explain why a pod, claim or workload cannot be scheduled, or where it fits.",
            "",
            "For each node, the explanation counts the devices that were ruled out by selectors,"
                    + " taints, holders, counters, capacity or constraints. It says whether waiting"
                    + " helps, and lists small changes that make the pod fit; each of them has been"
                    + " tried.",
            "",
            "For a Deployment, Job, StatefulSet, ReplicaSet, DaemonSet or CronJob, its pending pods"
                    + " are explained, those with the same reason once. If pods do not exist, the"
                    + " explanation says why they were not created.",
            "",
            "The text fits on a screen; -o wide shows all nodes, -o json the structure described in"
                    + " docs/explain-json.md."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "0:it fits",
            "1:it does not fit, or waits for something else",
            "2:usage error, a file or the cluster cannot be read, or an object does not exist"
        },
        footer = {
            "Examples:",
            "  berth explain pod/train -n ml",
            "  berth explain -f cluster/ pod train -n ml",
            "  berth explain deployment/inference -n ml",
            "  berth explain --live -f pod.yaml pod/train",
            "  berth explain -f cluster/ claim/gpu -o json",
            "  berth explain pod/train -n ml --matrix node-1"
        })
public final class ExplainCommand implements Callable<Integer> {

    private static final int UNREADABLE = 2;
    private static final String UNLESS_HELD =
            ", unless a claim in another namespace holds its devices";

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "KIND/NAME",
            arity = "1..2",
            description =
                    "Object to explain: pod/NAME, claim/NAME, deployment/NAME, job/NAME,"
                            + " statefulset/NAME, replicaset/NAME, daemonset/NAME or cronjob/NAME;"
                            + " also with the short names of kubectl, or as two words.")
    private List<String> subject = new ArrayList<>();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description =
                    "Namespace of the object (default: that of the kubeconfig when a running"
                            + " cluster is read, otherwise default).")
    private Optional<String> namespace = Optional.empty();

    @Option(
            names = "--matrix",
            paramLabel = "NODE",
            description =
                    "Show every device of a node with the checks that it fails for each request.")
    private Optional<String> matrix = Optional.empty();

    @Mixin private OutputOption output = OutputOption.withWide();

    @Mixin private ClusterSource source = new ClusterSource();

    @Mixin private GateOptions gates = new GateOptions();

    @Mixin private LeniencyOptions leniency = new LeniencyOptions();

    @Override
    public Integer call() {
        var target = target();
        var featureGates = gates.gates(spec.commandLine());
        var ref = new ObjectRef(source.namespace(namespace), target.name());
        var workload =
                target.kind().isWorkload()
                        ? Optional.of(target.kind().kind())
                        : Optional.<String>empty();
        var cluster =
                source.readAround(spec.commandLine(), featureGates, ref.namespace(), workload);
        if (!cluster.problems().isEmpty()) {
            if (cluster.isForbidden()) {
                printConditions(target, ref, cluster);
            }
            return refused(cluster.problems().getFirst());
        }
        if (cluster.objects().nodes().isEmpty() && !source.readsCluster()) {
            return refused(
                    "the files contain no nodes; add --live to read the running cluster, or the"
                            + " files with its nodes, slices and classes");
        }
        return explain(target, ref, cluster, options(featureGates));
    }

    private ExplainTarget target() {
        return switch (ExplainTarget.parse(subject)) {
            case ExplainTarget.Parsed.Target(var target) -> target;
            case ExplainTarget.Parsed.Wrong(var message) ->
                    throw new ParameterException(spec.commandLine(), message);
        };
    }

    private static ExplainOptions options(FeatureGates gates) {
        return new ExplainOptions(
                PlacementFeatures.of(gates),
                ClaimInspection.DEFAULT_BINDING_TIMEOUT,
                Clock.systemUTC().instant());
    }

    private int explain(
            ExplainTarget target, ObjectRef ref, ClusterFiles cluster, ExplainOptions options) {
        if (target.kind().isWorkload()) {
            var workload = cluster.workload(target.kind().kind(), ref);
            return workload.isPresent()
                    ? certain(explain(workload.get(), cluster, options), target, ref, cluster)
                    : refused(
                            "there is no %s %s%s"
                                    .formatted(
                                            target.kind().kind(),
                                            ref,
                                            NamesakeHint.of(target.kind(), ref, cluster)));
        }
        var objects = cluster.objects();
        var lookup =
                target.kind() == TargetKind.POD
                        ? objects.ofPod(options, ref)
                        : objects.ofClaim(options, ref);
        return switch (lookup) {
            case ClusterObjects.Lookup.Missing(var reason) ->
                    refused(reason + NamesakeHint.of(target.kind(), ref, cluster));
            case ClusterObjects.Lookup found ->
                    certain(explain(found, cluster.isOneNamespace()), target, ref, cluster);
        };
    }

    /// The exit code. Pods that fit as far as the user can see, and that the scheduler rejected, do
    /// not fit.
    private int certain(int code, ExplainTarget target, ObjectRef ref, ClusterFiles cluster) {
        return code == 0 && cluster.isOneNamespace() && printConditions(target, ref, cluster)
                ? 1
                : code;
    }

    /// Prints the scheduler's messages on pending pods, for users who may not read what they are
    /// about.
    ///
    /// @return whether there are any
    private boolean printConditions(ExplainTarget target, ObjectRef ref, ClusterFiles cluster) {
        var pods =
                target.kind().isWorkload()
                        ? cluster.workload(target.kind().kind(), ref)
                                .map(WorkloadState::pods)
                                .orElse(List.of())
                        : cluster.objects().pods().stream()
                                .filter(pod -> target.kind() == TargetKind.POD)
                                .filter(pod -> pod.ref().equals(ref))
                                .toList();
        var text = SchedulingConditions.text(pods);
        var isText = output.format() == OutputFormat.TEXT;
        var out = isText ? spec.commandLine().getOut() : spec.commandLine().getErr();
        out.print(text);
        out.flush();
        return !text.isEmpty();
    }

    private int explain(WorkloadState workload, ClusterFiles cluster, ExplainOptions options) {
        var report =
                new WorkloadExplainer(options, new Explainer(leniency.allocator()))
                        .explain(workload, cluster.objects(workload.missing()));
        var out = spec.commandLine().getOut();
        if (output.format() == OutputFormat.TEXT) {
            var style = report.fits() ? Style.GOOD : Style.BAD;
            TerminalWriter.printStyled(
                    out,
                    Palette.ofTerminal().paint(style, report.summary())
                            + "\n"
                            + TerminalText.escape(report.details()));
        } else {
            out.print(output.render(String::new, report::json));
        }
        out.flush();
        return report.fits() ? 0 : 1;
    }

    /// @param isUncertain whether claims of other namespaces may hold devices that appear as free
    private int explain(ClusterObjects.Lookup found, boolean isUncertain) {
        var explainer = new Explainer(leniency.allocator());
        var explanation = explainer.explain(found);
        var nodeMatrix = matrix.flatMap(node -> matrix(explainer, found, node));
        if (matrix.isPresent() && nodeMatrix.isEmpty()) {
            return refused("there is no node %s to show devices of".formatted(matrix.get()));
        }
        var out = spec.commandLine().getOut();
        if (output.format() == OutputFormat.TEXT) {
            TerminalWriter.printStyled(out, text(explanation, isUncertain, Palette.ofTerminal()));
            nodeMatrix.ifPresent(one ->
                    TerminalWriter.printStyled(
                            out, "\n" + TerminalText.escape(DeviceMatrixText.of(one))));
        } else {
            out.print(output.render(String::new, () -> json(explanation, nodeMatrix)));
        }
        out.flush();
        return explanation instanceof Explanation.Fits ? 0 : 1;
    }

    private static Optional<DeviceMatrix> matrix(
            Explainer explainer, ClusterObjects.Lookup found, String node) {
        return found instanceof ClusterObjects.Lookup.Found(var inputs)
                ? explainer.matrix(inputs, node)
                : Optional.empty();
    }

    private static JsonObject json(Explanation explanation, Optional<DeviceMatrix> nodeMatrix) {
        var tree = ExplanationJson.of(explanation);
        return nodeMatrix.map(one -> tree.with("matrix", ExplanationJson.of(one))).orElse(tree);
    }

    /// The explanation with its first line, the result, in colour.
    private String text(Explanation explanation, boolean isUncertain, Palette palette) {
        var isFit = explanation instanceof Explanation.Fits;
        var text = ExplanationText.of(explanation, output.isWide());
        var end = text.indexOf('\n');
        var first = text.substring(0, end);
        return (isFit && isUncertain
                        ? palette.paint(Style.WARNING, first + UNLESS_HELD)
                        : palette.paint(isFit ? Style.GOOD : Style.BAD, first))
                + TerminalText.escape(text.substring(end));
    }

    private int refused(String reason) {
        spec.commandLine().getErr().println("berth: " + reason);
        return UNREADABLE;
    }
}
