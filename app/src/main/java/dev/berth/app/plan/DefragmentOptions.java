package dev.berth.app.plan;

import dev.berth.app.manifest.ManifestAdmission;
import dev.berth.core.plan.PlanInput;
import dev.berth.core.plan.StatedSize;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Decoded;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.text.SimilarNames;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Options for evictions that make room.
final class DefragmentOptions {

    private static final int DEFAULT_BUDGET = 10;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--defragment",
            description =
                    "Find the fewest evictions that make room for pending pods, and print them as"
                            + " commands. Nothing is evicted.")
    private boolean isDefragmenting;

    @Option(
            names = "--for",
            paramLabel = "[CLASS=]N",
            description =
                    "With --defragment: make room for N devices of CLASS on one node instead. CLASS"
                            + " may be omitted when the cluster has one device class.")
    private Optional<String> size = Optional.empty();

    @Option(
            names = "--budget",
            paramLabel = "N",
            description = "With --defragment: the maximum number of evictions (default: 10).")
    private Optional<Integer> budget = Optional.empty();

    boolean isDefragmenting() {
        if (!isDefragmenting && (size.isPresent() || budget.isPresent())) {
            throw wrong("--for and --budget need --defragment");
        }
        return isDefragmenting;
    }

    /// The maximum number of evictions.
    int budget() {
        if (budget.filter(number -> number < 1).isPresent()) {
            throw wrong("--budget must be at least 1");
        }
        return budget.orElse(DEFAULT_BUDGET);
    }

    /// The stated size, as a pod with a claim; empty to make room for pending pods.
    Optional<StatedSize> size(PlanInput input, ManifestAdmission admission) {
        return size.map(text -> {
            var split = text.lastIndexOf('=');
            var count = text.substring(split + 1);
            if (!count.matches("[1-9][0-9]{0,2}")) {
                throw wrong("--for: %s is not a number of devices from 1 to 999".formatted(count));
            }
            var deviceClass =
                    split < 0 ? onlyClass(text, input) : known(text.substring(0, split), input);
            return size(deviceClass, Integer.parseInt(count), admission);
        });
    }

    private String onlyClass(String text, PlanInput input) {
        var names = names(input);
        if (names.size() != 1) {
            throw wrong(
                    names.isEmpty()
                            ? "--for: the cluster has no device class"
                            : "--for: give the device class: %s=%s; the cluster has %s"
                                    .formatted(names.getFirst(), text, String.join(", ", names)));
        }
        return names.getFirst();
    }

    private String known(String name, PlanInput input) {
        var names = names(input);
        if (!names.contains(name)) {
            throw wrong(
                    "--for: unknown device class %s%s"
                            .formatted(
                                    name,
                                    SimilarNames.question(name, names)
                                            .map(question -> "; " + question)
                                            .orElse("")));
        }
        return name;
    }

    private static List<String> names(PlanInput input) {
        return input.classes().stream()
                .map(DeviceClass::metadata)
                .map(metadata -> metadata.name())
                .sorted()
                .toList();
    }

    private static StatedSize size(String deviceClass, int count, ManifestAdmission admission) {
        var metadata =
                JsonObject.of("namespace", Json.of("default"))
                        .with("name", Json.of("%d-devices-of-%s".formatted(count, deviceClass)));
        var request =
                JsonObject.of("name", Json.of("devices"))
                        .with(
                                "exactly",
                                JsonObject.of("deviceClassName", Json.of(deviceClass))
                                        .with("count", Json.of(count)));
        var claim =
                JsonObject.of("apiVersion", Json.of("resource.k8s.io/v1"))
                        .with("kind", Json.of("ResourceClaim"))
                        .with("metadata", metadata)
                        .with(
                                "spec",
                                JsonObject.of(
                                        "devices", JsonObject.of("requests", Json.array(request))));
        var reference =
                JsonObject.of("name", Json.of("devices"))
                        .with("resourceClaimName", Json.of(metadata.text("name")));
        var pod =
                JsonObject.of("apiVersion", Json.of("v1"))
                        .with("kind", Json.of("Pod"))
                        .with("metadata", metadata)
                        .with(
                                "spec",
                                JsonObject.of(
                                                "containers",
                                                Json.array(
                                                        JsonObject.of("name", Json.of("main"))
                                                                .with("image", Json.of("none"))))
                                        .with("resourceClaims", Json.array(reference)));
        return new StatedSize((Pod) read(pod, admission), (ResourceClaim) read(claim, admission));
    }

    private static KubernetesObject read(JsonObject tree, ManifestAdmission admission) {
        return admission.enter(tree).map(Decoded::orThrow).orElseThrow();
    }

    private ParameterException wrong(String text) {
        return new ParameterException(command.commandLine(), text);
    }
}
