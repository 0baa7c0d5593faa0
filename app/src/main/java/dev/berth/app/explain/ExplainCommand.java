package dev.berth.app.explain;

import dev.berth.app.cluster.ClusterSource;
import dev.berth.app.manifest.GateOptions;
import dev.berth.app.manifest.LeniencyOptions;
import dev.berth.core.admission.FeatureGates;
import dev.berth.core.explain.ClusterObjects;
import dev.berth.core.explain.Explainer;
import dev.berth.core.explain.Explanation;
import dev.berth.core.explain.ExplanationJson;
import dev.berth.core.explain.ExplanationText;
import dev.berth.core.explain.Situation;
import dev.berth.core.explain.Terms;
import dev.berth.core.place.Features;
import dev.berth.core.schedule.ClaimInspection;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.json.JsonWriter;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth explain`: where a pod's claims fit, or why nowhere.
@Command(
        name = "explain",
        description = {
            "Say why the claims of a pod, or one claim, do not fit in a cluster: what is short on",
            "each node, what took it away, who holds it, whether waiting helps, and which small",
            "change would. Every change that is named has been tried. When all fits, it says where."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it fits",
            "1:it does not fit",
            "2:the command line is wrong, a file cannot be read, or an object is missing"
        },
        footer = {
            "",
            "Examples:",
            "  berth explain pod/train -n ml",
            "  berth explain -f cluster/ pod/train -n ml",
            "  kubectl get nodes,pods,resourceclaims,resourceslices,deviceclasses -A -o yaml \\",
            "    | berth explain -f - claim/gpu -o json",
            ""
        })
public final class ExplainCommand implements Callable<Integer> {

    private static final int UNREADABLE = 2;

    /// How an explanation is printed.
    enum Output {
        TEXT,
        JSON
    }

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "pod/NAME|claim/NAME", description = "What to explain.")
    private String subject = "";

    @Option(
            names = {"-n", "--namespace"},
            description = {
                "The namespace of the pod or claim (default: that of the kubeconfig when a running",
                "cluster is read, otherwise default)."
            })
    private Optional<String> namespace = Optional.empty();

    @Option(
            names = {"-o", "--output"},
            defaultValue = "text",
            description = "text or json (default: ${DEFAULT-VALUE}).")
    private Output output = Output.TEXT;

    @Mixin private ClusterSource source = new ClusterSource();

    @Mixin private GateOptions gates = new GateOptions();

    @Mixin private LeniencyOptions leniency = new LeniencyOptions();

    @Override
    public Integer call() {
        var featureGates = gates.gates(spec.commandLine());
        var cluster = source.read(spec.commandLine(), featureGates);
        if (!cluster.problems().isEmpty()) {
            return refused(cluster.problems().getFirst());
        }
        return switch (lookUp(cluster.objects(), terms(featureGates))) {
            case ClusterObjects.Lookup.Found(var situation) -> explain(situation);
            case ClusterObjects.Lookup.Missing(var reason) -> refused(reason);
        };
    }

    private static Terms terms(FeatureGates gates) {
        return new Terms(
                Features.of(gates), ClaimInspection.BINDING_PATIENCE, Clock.systemUTC().instant());
    }

    private ClusterObjects.Lookup lookUp(ClusterObjects cluster, Terms terms) {
        var slash = subject.indexOf('/');
        var kind = slash < 0 ? "" : subject.substring(0, slash);
        var ref = new ObjectRef(source.namespace(namespace), subject.substring(slash + 1));
        return switch (kind) {
            case "pod", "pods" -> cluster.ofPod(terms, ref);
            case "claim", "resourceclaim", "resourceclaims" -> cluster.ofClaim(terms, ref);
            default ->
                    throw new ParameterException(
                            spec.commandLine(),
                            "\"%s\": write pod/NAME or claim/NAME".formatted(subject));
        };
    }

    private int explain(Situation situation) {
        var explainer = new Explainer(leniency.allocator());
        var explanation = explainer.explain(situation);
        var out = spec.commandLine().getOut();
        switch (output) {
            case TEXT -> out.print(ExplanationText.of(explanation));
            case JSON -> out.println(JsonWriter.pretty(ExplanationJson.of(explanation)).strip());
        }
        out.flush();
        return explanation instanceof Explanation.Fits ? 0 : 1;
    }

    private int refused(String reason) {
        spec.commandLine().getErr().println("berth: " + reason);
        return UNREADABLE;
    }
}
