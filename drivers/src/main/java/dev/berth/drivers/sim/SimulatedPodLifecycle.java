package dev.berth.drivers.sim;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/// What a node does next for a pod that is bound to it: a pure function of the pod and the time.
final class SimulatedPodLifecycle {

    /// What is to be done.
    sealed interface Next {

        record Nothing() implements Next {}

        /// Nothing before that time.
        record Wait(Instant until) implements Next {}

        /// A new status.
        ///
        /// @param until when to look again
        record Report(JsonObject status, Optional<Instant> until) implements Next {}

        /// The last word: the pod's containers have ended, and its object can go.
        record Remove() implements Next {}
    }

    /// Where a pod is.
    ///
    /// @param startDelay between its binding and its start
    record Place(String hostAddress, String podAddress, Duration startDelay) {}

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

    static Next next(JsonObject pod, Place place, Instant now) {
        return new SimulatedPodLifecycle(pod, now).next(place);
    }

    /// True when a pod would start now if it may.
    static boolean isWaitingToStart(JsonObject pod) {
        var phase = pod.objectOrEmpty("status").text("phase");
        return (phase.isEmpty() || phase.equals("Pending"))
                && !pod.objectOrEmpty("metadata").has("deletionTimestamp");
    }

    private Next next(Place place) {
        var metadata = pod.objectOrEmpty("metadata");
        if (metadata.has("deletionTimestamp")) {
            return ending(metadata);
        }
        return switch (status.text("phase")) {
            case "", "Pending" -> starting(place);
            case "Running" -> running();
            default -> NOTHING;
        };
    }

    private Next ending(JsonObject metadata) {
        var isOver = isOver(status.text("phase"));
        if (!metadata.items("finalizers").isEmpty() && !isOver) {
            // Whoever holds the pod back waits to hear how it ended.
            return new Next.Report(ended("Failed", startedAt().orElse(now)), Optional.of(now));
        }
        var isLastWord = metadata.number("deletionGracePeriodSeconds").orElse(1) == 0;
        return isLastWord && isOver ? NOTHING : new Next.Remove();
    }

    private static boolean isOver(String phase) {
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    private Next starting(Place place) {
        var start =
                scheduledAt()
                        .or(this::createdAt)
                        .orElse(now)
                        .plus(place.startDelay())
                        .plus(annotations.startDelay());
        if (start.isAfter(now)) {
            return new Next.Wait(start);
        }
        var addresses =
                JsonObject.of("hostIP", Json.of(place.hostAddress()))
                        .with("podIP", Json.of(place.podAddress()))
                        .with(
                                "podIPs",
                                Json.array(JsonObject.of("ip", Json.of(place.podAddress()))))
                        .with("startTime", SimulatedObjectFields.time(now));
        var length = length();
        if (length.isPresent() && length.get().isZero()) {
            return new Next.Report(merged(addresses, ended(lastPhase(), now)), Optional.empty());
        }
        return new Next.Report(merged(addresses, started()), length.map(now::plus));
    }

    private Next running() {
        var length = length();
        if (length.isEmpty()) {
            return NOTHING;
        }
        var start = startedAt().orElse(now);
        var end = start.plus(length.get());
        return end.isAfter(now)
                ? new Next.Wait(end)
                : new Next.Report(ended(lastPhase(), start), Optional.empty());
    }

    /// How long the pod runs: as long as its longest container; empty for ever.
    private Optional<Duration> length() {
        var longest = Duration.ZERO;
        for (var program : programs()) {
            if (program.length().isEmpty()) {
                return Optional.empty();
            }
            var length = program.length().get();
            longest = length.compareTo(longest) > 0 ? length : longest;
        }
        return Optional.of(longest);
    }

    private List<SimulatedCommand> programs() {
        var isOfJob =
                pod.objectOrEmpty("metadata").objects("ownerReferences").stream()
                        .anyMatch(owner -> owner.text("kind").equals("Job"));
        var alwaysRestarts = PodAnnotations.alwaysRestarts(pod);
        return spec.objects("containers").stream()
                .map(one -> SimulatedCommand.of(one, spec.text("restartPolicy"), isOfJob))
                .map(program -> annotations.applied(program, alwaysRestarts))
                .toList();
    }

    private String lastPhase() {
        return programs().stream().allMatch(program -> program.exitCode() == 0)
                ? "Succeeded"
                : "Failed";
    }

    private JsonObject started() {
        var running =
                JsonObject.of(
                        "running", JsonObject.of("startedAt", SimulatedObjectFields.time(now)));
        return JsonObject.of("phase", Json.of("Running"))
                .with("conditions", Json.array(conditions(true, "")))
                .with("containerStatuses", statuses("containers", _ -> running, true))
                .with("initContainerStatuses", initial(running));
    }

    private JsonObject ended(String phase, Instant start) {
        var programs = programs();
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
                                i -> terminated(programs.get(i).exitCode(), start),
                                false))
                .with("initContainerStatuses", initial(terminated(0, start)));
    }

    private JsonObject terminated(int exitCode, Instant start) {
        return JsonObject.of(
                "terminated",
                JsonObject.of("exitCode", Json.of(exitCode))
                        .with("reason", Json.of(exitCode == 0 ? "Completed" : "Error"))
                        .with("startedAt", SimulatedObjectFields.time(start))
                        .with("finishedAt", SimulatedObjectFields.time(now)));
    }

    private List<JsonObject> conditions(boolean isUp, String reason) {
        var conditions = new ArrayList<JsonObject>();
        conditions.add(
                SimulatedObjectFields.condition("PodReadyToStartContainers", isUp, "", "", now));
        conditions.add(
                SimulatedObjectFields.condition("Initialized", true, isUp ? "" : reason, "", now));
        conditions.add(SimulatedObjectFields.condition("Ready", isUp, reason, "", now));
        conditions.add(SimulatedObjectFields.condition("ContainersReady", isUp, reason, "", now));
        return conditions;
    }

    /// Init containers are done at once, but for sidecars, which go on.
    private Json initial(JsonObject sidecarState) {
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
                                                    + ObservedObjects.uid(pod)
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

    /// A pod that somebody made with its node was never scheduled.
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
