package dev.berth.app.explain;

import dev.berth.app.cluster.ClusterSource;
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
import dev.berth.core.explain.ExplainInputs;
import dev.berth.core.explain.ExplainOptions;
import dev.berth.core.explain.Explainer;
import dev.berth.core.explain.Explanation;
import dev.berth.core.explain.ExplanationJson;
import dev.berth.core.explain.ExplanationText;
import dev.berth.core.place.PlacementFeatures;
import dev.berth.core.schedule.ClaimInspection;
import dev.berth.model.api.meta.ObjectRef;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
            "Explain why a pod or claim cannot be scheduled, or where it fits.",
            "",
            "For each node, the explanation counts the devices that were ruled out by selectors,"
                    + " taints, holders, counters, capacity or constraints. It says whether waiting"
                    + " helps, and lists small changes that make the pod fit; each of them has been"
                    + " tried."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "0:it fits",
            "1:it does not fit",
            "2:usage error, a file or the cluster cannot be read, or an object does not exist"
        },
        footer = {
            "Examples:",
            "  berth explain pod/train -n ml",
            "  berth explain -f cluster/ pod train -n ml",
            "  berth explain --live -f pod.yaml pod/train",
            "  berth explain -f cluster/ claim/gpu -o json"
        })
public final class ExplainCommand implements Callable<Integer> {

    private static final int UNREADABLE = 2;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "pod/NAME|claim/NAME",
            arity = "1..2",
            description = "Pod or claim to explain, as pod/NAME or pod NAME.")
    private List<String> subject = new ArrayList<>();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description =
                    "Namespace of the pod or claim (default: that of the kubeconfig when a running"
                            + " cluster is read, otherwise default).")
    private Optional<String> namespace = Optional.empty();

    @Mixin private OutputOption output = new OutputOption();

    @Mixin private ClusterSource source = new ClusterSource();

    @Mixin private GateOptions gates = new GateOptions();

    @Mixin private LeniencyOptions leniency = new LeniencyOptions();

    @Override
    public Integer call() {
        var asked = subject();
        var featureGates = gates.gates(spec.commandLine());
        var cluster = source.read(spec.commandLine(), featureGates);
        if (!cluster.problems().isEmpty()) {
            return refused(cluster.problems().getFirst());
        }
        var objects = cluster.objects();
        if (objects.nodes().isEmpty() && !source.readsCluster()) {
            return refused(
                    "the files contain no nodes; add --live to read the running cluster, or the"
                            + " files with its nodes, slices and classes");
        }
        return switch (lookUp(asked, objects, options(featureGates))) {
            case ClusterObjects.Lookup.Found(var inputs) -> explain(inputs);
            case ClusterObjects.Lookup.Missing(var reason) -> refused(reason);
        };
    }

    private static ExplainOptions options(FeatureGates gates) {
        return new ExplainOptions(
                PlacementFeatures.of(gates),
                ClaimInspection.DEFAULT_BINDING_TIMEOUT,
                Clock.systemUTC().instant());
    }

    private ClusterObjects.Lookup lookUp(
            Subject asked, ClusterObjects cluster, ExplainOptions options) {
        var ref = new ObjectRef(source.namespace(namespace), asked.name);
        return asked.isPod ? cluster.ofPod(options, ref) : cluster.ofClaim(options, ref);
    }

    /// The pod or claim to explain.
    private record Subject(boolean isPod, String name) {}

    private Subject subject() {
        var words =
                subject.size() == 1
                        ? List.of(subject.getFirst().split("/", 2))
                        : List.copyOf(subject);
        if (words.size() != 2 || words.getLast().isEmpty()) {
            throw wrong("\"%s\" is neither pod/NAME nor claim/NAME".formatted(subject.getFirst()));
        }
        return switch (words.getFirst().toLowerCase(Locale.ROOT)) {
            case "pod", "pods", "po" -> new Subject(true, words.getLast());
            case "claim", "claims", "resourceclaim", "resourceclaims" ->
                    new Subject(false, words.getLast());
            default ->
                    throw wrong(
                            "\"%s\" cannot be explained; name a pod or a claim, as pod/NAME or"
                                            .formatted(String.join("/", words))
                                    + " claim/NAME");
        };
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private int explain(ExplainInputs inputs) {
        var explainer = new Explainer(leniency.allocator());
        var explanation = explainer.explain(inputs);
        var out = spec.commandLine().getOut();
        if (output.format() == OutputFormat.TEXT) {
            TerminalWriter.printStyled(out, text(explanation, Palette.ofTerminal()));
        } else {
            out.print(output.render(String::new, () -> ExplanationJson.of(explanation)));
        }
        out.flush();
        return explanation instanceof Explanation.Fits ? 0 : 1;
    }

    /// The explanation with its first line, the result, in colour.
    private static String text(Explanation explanation, Palette palette) {
        var isFit = explanation instanceof Explanation.Fits;
        var text = ExplanationText.of(explanation);
        var end = text.indexOf('\n');
        return palette.paint(isFit ? Style.GOOD : Style.BAD, text.substring(0, end))
                + TerminalText.escape(text.substring(end));
    }

    private int refused(String reason) {
        spec.commandLine().getErr().println("berth: " + reason);
        return UNREADABLE;
    }
}
