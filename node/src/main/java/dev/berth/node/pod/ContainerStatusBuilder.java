package dev.berth.node.pod;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.pod.ContainerDefinition.Role;
import dev.berth.node.pod.ContainerObservation.State;
import dev.berth.node.pod.PodDecision.DecisionInput;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Builds the ContainerStatus of one container.
final class ContainerStatusBuilder {

    private final DecisionInput input;
    private final ContainerObservation container;

    ContainerStatusBuilder(DecisionInput input, ContainerObservation container) {
        this.input = input;
        this.container = container;
    }

    static boolean hasNeverRun(ContainerObservation container) {
        return switch (container.state()) {
            case State.Absent _ -> true;
            case State.Created _ -> container.last().isEmpty();
            case State.Running _, State.Exited _ -> false;
        };
    }

    /// @param isLast true if the pod has terminated, so that no container is waiting
    JsonObject status(boolean isLast) {
        var isRestarting = !isLast && isRestarting();
        var definition = container.definition();
        var status =
                JsonObject.of("name", Json.of(definition.name()))
                        .with("state", state(isLast, isRestarting))
                        .with("lastState", lastState(isRestarting))
                        .with("ready", Json.of((!isLast && container.isReady()) || isInitSuccess()))
                        .with("restartCount", Json.of(container.attempt()))
                        .with("image", Json.of(definition.image()))
                        .with("imageID", Json.of(container.imageId()))
                        .with("started", Json.of(!isLast && container.hasStarted()));
        var id = containerId();
        if (!id.isEmpty()) {
            status = status.with("containerID", Json.of(id));
        }
        var health = input.observation().deviceHealth().getOrDefault(definition.name(), List.of());
        return health.isEmpty()
                ? status
                : status.with("allocatedResourcesStatus", Json.array(health));
    }

    private boolean isInitSuccess() {
        return container.definition().role() == Role.INIT && container.hasSucceeded();
    }

    private String containerId() {
        if (container.id().isPresent()) {
            return input.observation().qualified(container.id().get());
        }
        return container.state() instanceof State.Exited(var termination)
                ? termination.containerId()
                : "";
    }

    /// True if it has terminated and waits for a restart.
    private boolean isRestarting() {
        return container.state() instanceof State.Exited
                && !container.isOver()
                && input.workerState().terminateBy().isEmpty()
                && waiting().isPresent();
    }

    private Optional<JsonObject> waiting() {
        var name = container.definition().name();
        var retry = input.workerState().retry(name);
        if (retry.isPresent()) {
            return Optional.of(waiting(retry.get().reason(), retry.get().message()));
        }
        return container.state() instanceof State.Exited(var termination)
                ? crashLoopBackoff(name, termination)
                : Optional.empty();
    }

    private Optional<JsonObject> crashLoopBackoff(String name, ContainerTermination termination) {
        var ended = termination.finishedAt().orElse(Instant.EPOCH);
        var backoff = input.workerState().backoff(name);
        return CrashLoopBackoff.until(backoff, ended, input.now())
                .map(_ ->
                        waiting(
                                "CrashLoopBackOff",
                                "back-off %s restarting failed container=%s pod=%s_%s(%s)"
                                        .formatted(
                                                text(backoff),
                                                name,
                                                input.definition().ref().name(),
                                                input.definition().ref().namespace(),
                                                input.definition().uid())));
    }

    private static String text(Optional<CrashLoopBackoff> backoff) {
        var seconds = backoff.map(one -> one.delay().toSeconds()).orElse(0L);
        var minutes = seconds / 60;
        return minutes == 0 ? seconds + "s" : minutes + "m" + seconds % 60 + "s";
    }

    private static JsonObject waiting(String reason, String message) {
        var fields = JsonObject.of("reason", Json.of(reason));
        return JsonObject.of(
                "waiting", message.isEmpty() ? fields : fields.with("message", Json.of(message)));
    }

    private JsonObject state(boolean isLast, boolean isRestarting) {
        return switch (container.state()) {
            case State.Running(var since, _) ->
                    JsonObject.of("running", JsonObject.of("startedAt", Json.of(since)));
            case State.Exited(var termination) ->
                    isRestarting
                            ? waiting().orElseThrow()
                            : JsonObject.of("terminated", termination.tree());
            case State.Absent _, State.Created _ ->
                    isLast
                            ? JsonObject.of("terminated", ContainerTermination.unknown("").tree())
                            : waiting().orElseGet(() -> waiting(waitingReason(), podProblem()));
        };
    }

    private String waitingReason() {
        var isFirst =
                input.initContainers().isEmpty() || container.definition().role() != Role.MAIN;
        return input.isInitialized() || (isFirst && input.observation().sandbox().isEmpty())
                ? "ContainerCreating"
                : "PodInitializing";
    }

    /// The error that keeps the whole pod from starting, shown in each waiting container.
    private String podProblem() {
        return input.workerState().retry().map(RetryState::message).orElse("");
    }

    private JsonObject lastState(boolean isRestarting) {
        if (isRestarting && container.state() instanceof State.Exited(var termination)) {
            return JsonObject.of("terminated", termination.tree());
        }
        return container
                .last()
                .map(termination -> JsonObject.of("terminated", termination.tree()))
                .orElse(JsonObject.EMPTY);
    }
}
