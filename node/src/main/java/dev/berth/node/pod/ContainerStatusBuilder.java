package dev.berth.node.pod;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.pod.ContainerDefinition.Role;
import dev.berth.node.pod.ContainerObservation.State;
import dev.berth.node.pod.PodDecision.Situation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What a node says of one container of a pod.
final class ContainerStatusBuilder {

    private final Situation situation;
    private final ContainerObservation look;

    ContainerStatusBuilder(Situation situation, ContainerObservation look) {
        this.situation = situation;
        this.look = look;
    }

    static boolean hasNeverRun(ContainerObservation look) {
        return switch (look.state()) {
            case State.Absent _ -> true;
            case State.Created _ -> look.last().isEmpty();
            case State.Running _, State.Exited _ -> false;
        };
    }

    /// @param isLast true when the pod has ended, so that nothing can be waited for
    JsonObject status(boolean isLast) {
        var isRestarting = !isLast && isRestarting();
        var task = look.task();
        var status =
                JsonObject.of("name", Json.of(task.name()))
                        .with("state", state(isLast, isRestarting))
                        .with("lastState", lastState(isRestarting))
                        .with("ready", Json.of((!isLast && look.isReady()) || isInitialSuccess()))
                        .with("restartCount", Json.of(look.attempt()))
                        .with("image", Json.of(task.image()))
                        .with("imageID", Json.of(look.imageId()))
                        .with("started", Json.of(!isLast && look.hasStarted()));
        var id = containerId();
        if (!id.isEmpty()) {
            status = status.with("containerID", Json.of(id));
        }
        var health = situation.sight().deviceHealth().getOrDefault(task.name(), List.of());
        return health.isEmpty()
                ? status
                : status.with("allocatedResourcesStatus", Json.array(health));
    }

    private boolean isInitialSuccess() {
        return look.task().role() == Role.INITIAL && look.hasSucceeded();
    }

    private String containerId() {
        if (look.id().isPresent()) {
            return situation.sight().qualified(look.id().get());
        }
        return look.state() instanceof State.Exited(var how) ? how.containerId() : "";
    }

    /// True when it has ended, and is to be started again later or in vain.
    private boolean isRestarting() {
        return look.state() instanceof State.Exited
                && !look.isOver()
                && situation.memory().endBy().isEmpty()
                && waiting().isPresent();
    }

    private Optional<JsonObject> waiting() {
        var name = look.task().name();
        var hitch = situation.memory().hitch(name);
        if (hitch.isPresent()) {
            return Optional.of(waiting(hitch.get().reason(), hitch.get().message()));
        }
        return look.state() instanceof State.Exited(var how)
                ? crashing(name, how)
                : Optional.empty();
    }

    private Optional<JsonObject> crashing(String name, ContainerTermination how) {
        var ended = how.finishedAt().orElse(Instant.EPOCH);
        var backoff = situation.memory().backoff(name);
        return CrashLoopBackoff.until(backoff, ended, situation.now())
                .map(_ ->
                        waiting(
                                "CrashLoopBackOff",
                                "back-off %s restarting failed container=%s pod=%s_%s(%s)"
                                        .formatted(
                                                text(backoff),
                                                name,
                                                situation.task().ref().name(),
                                                situation.task().ref().namespace(),
                                                situation.task().uid())));
    }

    private static String text(Optional<CrashLoopBackoff> backoff) {
        var seconds = backoff.map(one -> one.delay().toSeconds()).orElse(0L);
        var minutes = seconds / 60;
        return minutes == 0 ? seconds + "s" : minutes + "m" + seconds % 60 + "s";
    }

    private static JsonObject waiting(String reason, String message) {
        var words = JsonObject.of("reason", Json.of(reason));
        return JsonObject.of(
                "waiting", message.isEmpty() ? words : words.with("message", Json.of(message)));
    }

    private JsonObject state(boolean isLast, boolean isRestarting) {
        return switch (look.state()) {
            case State.Running(var since, _) ->
                    JsonObject.of("running", JsonObject.of("startedAt", StatusFields.time(since)));
            case State.Exited(var how) ->
                    isRestarting
                            ? waiting().orElseThrow()
                            : JsonObject.of("terminated", how.tree());
            case State.Absent _, State.Created _ ->
                    isLast
                            ? JsonObject.of("terminated", ContainerTermination.unknown("").tree())
                            : waiting().orElseGet(() -> waiting(beginning(), podProblem()));
        };
    }

    private String beginning() {
        var isFirst = situation.initial().isEmpty() || look.task().role() != Role.MAIN;
        return situation.isInitialised() || (isFirst && situation.sight().sandbox().isEmpty())
                ? "ContainerCreating"
                : "PodInitializing";
    }

    /// What keeps the whole pod from starting is shown where people look.
    private String podProblem() {
        return situation.memory().hitch().map(RetryState::message).orElse("");
    }

    private JsonObject lastState(boolean isRestarting) {
        if (isRestarting && look.state() instanceof State.Exited(var how)) {
            return JsonObject.of("terminated", how.tree());
        }
        return look.last()
                .map(how -> JsonObject.of("terminated", how.tree()))
                .orElse(JsonObject.EMPTY);
    }
}
