package dev.berth.node.pod;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A pod in the form its node needs to run it.
///
/// @param initContainers init containers and sidecars, in their order
/// @param grace termination grace period
/// @param deadline `activeDeadlineSeconds`
/// @param deletionTimestamp when a deleted pod has to have terminated
/// @param tree the pod as JSON
public record PodDefinition(
        ObjectRef ref,
        Uid uid,
        List<ContainerDefinition> initContainers,
        List<ContainerDefinition> main,
        Duration grace,
        Optional<Duration> deadline,
        Optional<Instant> deletionTimestamp,
        JsonObject tree) {

    private static final long DEFAULT_GRACE = 30;

    public PodDefinition {
        initContainers = List.copyOf(initContainers);
        main = List.copyOf(main);
    }

    public static PodDefinition of(JsonObject tree) {
        var metadata = tree.objectOrEmpty("metadata");
        var spec = tree.objectOrEmpty("spec");
        var policy = RestartPolicy.of(spec.text("restartPolicy"));
        var deadline = spec.number("activeDeadlineSeconds");
        var grace = metadata.number("deletionGracePeriodSeconds");
        return new PodDefinition(
                new ObjectRef(metadata.text("namespace"), metadata.text("name")),
                new Uid(metadata.text("uid")),
                containers(spec, "initContainers", true, policy),
                containers(spec, "containers", false, policy),
                Duration.ofSeconds(
                        grace.isPresent()
                                ? grace.getAsLong()
                                : spec.number("terminationGracePeriodSeconds")
                                        .orElse(DEFAULT_GRACE)),
                deadline.isPresent()
                        ? Optional.of(Duration.ofSeconds(deadline.getAsLong()))
                        : Optional.empty(),
                instant(metadata.text("deletionTimestamp")),
                tree);
    }

    private static List<ContainerDefinition> containers(
            JsonObject spec, String field, boolean areInit, RestartPolicy policy) {
        var definitions = new ArrayList<ContainerDefinition>();
        for (var container : spec.objects(field)) {
            definitions.add(ContainerDefinition.of(container, areInit, policy));
        }
        return definitions;
    }

    static Optional<Instant> instant(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
        } catch (DateTimeParseException _) {
            return Optional.empty();
        }
    }

    public Stream<ContainerDefinition> all() {
        return Stream.concat(initContainers.stream(), main.stream());
    }

    public Optional<ContainerDefinition> find(String container) {
        return all().filter(one -> one.name().equals(container)).findFirst();
    }

    public boolean isTerminating() {
        return deletionTimestamp.isPresent();
    }

    public JsonObject spec() {
        return tree.objectOrEmpty("spec");
    }

    public JsonObject status() {
        return tree.objectOrEmpty("status");
    }

    /// True if the pod's phase is final already.
    public boolean isFinished() {
        var phase = status().text("phase");
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    public boolean isOnHostNetwork() {
        return spec().flag("hostNetwork").orElse(false);
    }

    @Override
    public String toString() {
        return ref.toString();
    }
}
