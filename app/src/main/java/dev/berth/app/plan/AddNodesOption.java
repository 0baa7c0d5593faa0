package dev.berth.app.plan;

import dev.berth.app.manifest.ManifestAdmission;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.plan.NodeCopies;
import dev.berth.core.plan.PlanInput;
import dev.berth.drivers.sim.HardwareProfiles;
import dev.berth.drivers.sim.InvalidProfileException;
import dev.berth.drivers.sim.ProfileNode;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.node.Node;
import dev.berth.model.codec.Decoded;
import dev.berth.model.json.JsonObject;
import dev.berth.model.text.SimilarNames;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The option `--add-nodes`: kinds of nodes that a plan may add, each with a limit.
final class AddNodesOption {

    private static final String PROFILE = "profile:";
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 100_000;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--add-nodes",
            paramLabel = "NODE[=N]",
            split = ",",
            description =
                    "Find out how many more nodes like NODE are needed, up to N (default: 100)."
                            + " Each gets copies of the devices of NODE. profile:NAME[=N] adds"
                            + " nodes with a hardware profile (see berth up --list-profiles)."
                            + " Repeatable: earlier kinds are preferred.")
    private List<String> kinds = new ArrayList<>();

    @Option(
            names = "--profiles",
            paramLabel = "DIR",
            description =
                    "Directory of hardware profiles for --add-nodes, beside the built-in ones.")
    private Optional<Path> profiles = Optional.empty();

    boolean isEmpty() {
        return kinds.isEmpty();
    }

    /// The kinds of nodes; empty without the option.
    List<NodeCopies> copies(PlanInput scenario, FeatureGates gates, Instant now) {
        return kinds.stream().map(kind -> copies(kind, scenario, gates, now)).toList();
    }

    private NodeCopies copies(String text, PlanInput scenario, FeatureGates gates, Instant now) {
        var split = text.lastIndexOf('=');
        var kind = split < 0 ? text : text.substring(0, split);
        var limit = split < 0 ? DEFAULT_LIMIT : limit(text.substring(split + 1));
        return kind.startsWith(PROFILE)
                ? ofProfile(kind, limit, new ManifestAdmission(gates, now), now)
                : NodeCopies.of(scenario, kind, limit)
                        .orElseThrow(() ->
                                wrong(
                                        "--add-nodes: unknown node %s%s"
                                                .formatted(kind, similar(scenario, kind))));
    }

    private NodeCopies ofProfile(String kind, int limit, ManifestAdmission admission, Instant now) {
        var name = kind.substring(PROFILE.length());
        try {
            var builtIn = HardwareProfiles.builtIn();
            var known = profiles.map(builtIn::with).orElse(builtIn);
            var profile =
                    known.find(name)
                            .orElseThrow(() -> wrong("--add-nodes: " + known.unknown(name)));
            var one = ProfileNode.of(profile, now);
            return NodeCopies.of(
                    kind,
                    (Node) read(admission, one.node()),
                    one.slices(),
                    one.classes().stream()
                            .map(tree -> (DeviceClass) read(admission, tree))
                            .toList(),
                    limit);
        } catch (InvalidProfileException e) {
            throw wrong("--add-nodes: " + e.getMessage());
        }
    }

    private static KubernetesObject read(ManifestAdmission admission, JsonObject tree) {
        return switch (admission.enter(tree).orElseThrow()) {
            case Decoded.Read<? extends KubernetesObject> read -> read.object();
            case Decoded.Refused<? extends KubernetesObject> refused ->
                    throw new InvalidProfileException(refused.message());
        };
    }

    private static String similar(PlanInput scenario, String node) {
        var names = new ArrayList<>(scenario.nodes().stream().map(Node::name).toList());
        HardwareProfiles.builtIn().all().forEach(profile -> names.add(PROFILE + profile.name()));
        return SimilarNames.question(node, names)
                .map(question -> "; " + question)
                .orElse("; give the name of a node of the cluster, or profile:NAME");
    }

    private int limit(String text) {
        if (text.matches("[0-9]{1,6}") && Integer.parseInt(text) <= MAX_LIMIT) {
            return Integer.parseInt(text);
        }
        throw wrong("--add-nodes: %s is not a number up to %d".formatted(text, MAX_LIMIT));
    }

    private ParameterException wrong(String text) {
        return new ParameterException(command.commandLine(), text);
    }
}
