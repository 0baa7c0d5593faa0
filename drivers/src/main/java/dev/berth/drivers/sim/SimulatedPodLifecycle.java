package dev.berth.drivers.sim;

import dev.berth.model.condition.ConditionTrees;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/// Computes the next step in the lifecycle of a pod on a simulated node: a pure function of the pod
/// and the time.
final class SimulatedPodLifecycle {

    /// The next action.
    sealed interface Next {

        record Nothing() implements Next {}

        /// No action before that time.
        record Wait(Instant until) implements Next {}

        /// A new status.
        ///
        /// @param until time of the next action
        record Report(JsonObject status, Optional<Instant> until) implements Next {}

        /// The containers have terminated; the pod object can be deleted.
        record Remove() implements Next {}
    }

    /// Addresses and start delay of a pod.
    ///
    /// @param startDelay time between binding and start
    record Location(String hostAddress, String podAddress, Duration startDelay) {}

    private static final Next NOTHING = new Next.Nothing();

    private final JsonObject pod;
    private final JsonObject spec;
    private final JsonObject status;
    private final PodAnnotations annotations;
    private final Instant now;

    private SimulatedPodLifecycle(JsonObject pod, Instant now) {
        this.pod = pod;
        this.spec = pod.objectOrEmpty("spec");
        this.status = pod.objectOrEmpty("status");
        this.annotations = PodAnnotations.of(pod);
        this.now = now;
    }

    static Next next(JsonObject pod, Location location, Instant now) {
        return new SimulatedPodLifecycle(pod, now).next(location);
    }

    /// Whether a pod is pending on its node and not terminating.
    static boolean isWaitingToStart(JsonObject pod) {
        var phase = pod.objectOrEmpty("status").text("phase");
        return (phase.isEmpty() || phase.equals("Pending"))
                && !pod.objectOrEmpty("metadata").has("deletionTimestamp");
    }

    private Next next(Location location) {
        var metadata = pod.objectOrEmpty("metadata");
        if (metadata.has("deletionTimestamp")) {
            return terminating(metadata);
        }
        return switch (status.text("phase")) {
            case "", "Pending" -> starting(location);
            case "Running" -> running();
            default -> NOTHING;
        };
    }

    private Next terminating(JsonObject metadata) {
        var isTerminal = isTerminal(status.text("phase"));
        if (!metadata.items("finalizers").isEmpty() && !isTerminal) {
            // The owner of the finalizer needs the terminal phase.
            return new Next.Report(ended("Failed", startedAt().orElse(now)), Optional.of(now));
        }
        var isGraceOver = metadata.number("deletionGracePeriodSeconds").orElse(1) == 0;
        return isGraceOver && isTerminal ? NOTHING : new Next.Remove();
    }

    private static boolean isTerminal(String phase) {
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    private Next starting(Location location) {
        var start =
                scheduledAt()
                        .or(this::createdAt)
                        .orElse(now)
                        .plus(location.startDelay())
                        .plus(annotations.startDelay());
        if (start.isAfter(now)) {
            return new Next.Wait(start);
        }
        var addresses =
                JsonObject.of("hostIP", Json.of(location.hostAddress()))
                        .with("podIP", Json.of(location.podAddress()))
                        .with(
                                "podIPs",
                                Json.array(JsonObject.of("ip", Json.of(location.podAddress()))))
                        .with("startTime", Json.of(now));
        var runTime = runTime();
        if (runTime.isPresent() && runTime.get().isZero()) {
            return new Next.Report(merged(addresses, ended(lastPhase(), now)), Optional.empty());
        }
        return new Next.Report(merged(addresses, started()), runTime.map(now::plus));
    }

    private Next running() {
        var runTime = runTime();
        var start = startedAt().orElse(now);
        if (isMarkedNotReady()) {
            var ready = JsonObject.of("conditions", Json.array(conditions(true, "")));
            return new Next.Report(ready, runTime.map(start::plus));
        }
        if (runTime.isEmpty()) {
            return NOTHING;
        }
        var end = start.plus(runTime.get());
        return end.isAfter(now)
                ? new Next.Wait(end)
                : new Next.Report(ended(lastPhase(), start), Optional.empty());
    }

    /// True when the node lifecycle controller set Ready to False while the node was silent.
    private boolean isMarkedNotReady() {
        return ConditionTrees.find(status.objects("conditions"), "Ready")
                .filter(one -> one.text("status").equals("False"))
                .isPresent();
    }

    /// The run time of the pod, that of its longest container; empty if it never ends.
    private Optional<Duration> runTime() {
        var longest = Duration.ZERO;
        for (var command : commands()) {
            if (command.length().isEmpty()) {
                return Optional.empty();
            }
            var runTime = command.length().get();
            longest = runTime.compareTo(longest) > 0 ? runTime : longest;
        }
        return Optional.of(longest);
    }

    private List<SimulatedCommand> commands() {
        var belongsToJob =
                pod.objectOrEmpty("metadata").objects("ownerReferences").stream()
                        .anyMatch(owner -> owner.text("kind").equals("Job"));
        var alwaysRestarts = PodAnnotations.alwaysRestarts(pod);
        return spec.objects("containers").stream()
                .map(one -> SimulatedCommand.of(one, spec.text("restartPolicy"), belongsToJob))
                .map(command -> annotations.applyTo(command, alwaysRestarts))
                .toList();
    }

    private String lastPhase() {
        return commands().stream().allMatch(command -> command.exitCode() == 0)
                ? "Succeeded"
                : "Failed";
    }

    private JsonObject started() {
        var running = JsonObject.of("running", JsonObject.of("startedAt", Json.of(now)));
        return JsonObject.of("phase", Json.of("Running"))
                .with("conditions", Json.array(conditions(true, "")))
                .with("containerStatuses", statuses("containers", _ -> running, true))
                .with("initContainerStatuses", initStatuses(running));
    }

    private JsonObject ended(String phase, Instant start) {
        var commands = commands();
        return JsonObject.of("phase", Json.of(phase))
                .with(
                        "conditions",
                        Json.array(
                                conditions(
                                        false,
                                        phase.equals("Succeeded") ? "PodCompleted" : "PodFailed")))
                .with(
                        "containerStatuses",
                        statuses(
                                "containers",
                                i -> terminated(commands.get(i).exitCode(), start),
                                false))
                .with("initContainerStatuses", initStatuses(terminated(0, start)));
    }

    private JsonObject terminated(int exitCode, Instant start) {
        return JsonObject.of(
                "terminated",
                JsonObject.of("exitCode", Json.of(exitCode))
                        .with("reason", Json.of(exitCode == 0 ? "Completed" : "Error"))
                        .with("startedAt", Json.of(start))
                        .with("finishedAt", Json.of(now)));
    }

    private List<JsonObject> conditions(boolean isUp, String reason) {
        var conditions = new ArrayList<JsonObject>();
        conditions.add(ConditionTrees.of("PodReadyToStartContainers", isUp, "", "", now));
        conditions.add(ConditionTrees.of("Initialized", true, isUp ? "" : reason, "", now));
        conditions.add(ConditionTrees.of("Ready", isUp, reason, "", now));
        conditions.add(ConditionTrees.of("ContainersReady", isUp, reason, "", now));
        return conditions;
    }

    /// Init containers terminate at once; sidecars keep running.
    private Json initStatuses(JsonObject sidecarState) {
        var containers = spec.objects("initContainers");
        return statuses(
                "initContainers",
                i ->
                        containers.get(i).text("restartPolicy").equals("Always")
                                ? sidecarState
                                : terminated(0, now),
                true);
    }

    private Json statuses(String field, IntFunction<JsonObject> state, boolean isReady) {
        var statuses = new ArrayList<JsonObject>();
        var containers = spec.objects(field);
        for (var i = 0; i < containers.size(); i++) {
            var container = containers.get(i);
            statuses.add(
                    JsonObject.of("name", container.member("name").orElse(Json.of("")))
                            .with("image", Json.of(container.text("image")))
                            .with("imageID", Json.of("sim://" + container.text("image")))
                            .with(
                                    "containerID",
                                    Json.of(
                                            "sim://"
                                                    + JsonMetadata.uid(pod)
                                                    + "/"
                                                    + container.text("name")))
                            .with("ready", Json.of(isReady))
                            .with("started", Json.of(isReady))
                            .with("restartCount", Json.of(0))
                            .with("state", state.apply(i)));
        }
        return Json.array(statuses);
    }

    private Optional<Instant> scheduledAt() {
        return status.objects("conditions").stream()
                .filter(one -> one.text("type").equals("PodScheduled"))
                .map(one -> one.text("lastTransitionTime"))
                .findFirst()
                .flatMap(SimulatedPodLifecycle::instant);
    }

    /// Fallback for pods created with a nodeName, which are never scheduled.
    private Optional<Instant> createdAt() {
        return instant(pod.objectOrEmpty("metadata").text("creationTimestamp"));
    }

    private Optional<Instant> startedAt() {
        return status.objects("containerStatuses").stream()
                .map(one -> one.objectOrEmpty("state").objectOrEmpty("running"))
                .map(running -> running.text("startedAt"))
                .findFirst()
                .flatMap(SimulatedPodLifecycle::instant);
    }

    private static Optional<Instant> instant(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
        } catch (DateTimeParseException _) {
            return Optional.empty();
        }
    }

    private static JsonObject merged(JsonObject first, JsonObject second) {
        var all = first;
        for (var entry : second.members().entrySet()) {
            all = all.with(entry.getKey(), entry.getValue());
        }
        return all;
    }
}
