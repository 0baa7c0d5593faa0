package dev.berth.node.pod;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.util.Optional;

/// How a container terminated: the `terminated` state of its status.
///
/// @param containerId with the runtime's prefix, as in pod statuses; may be empty
public record ContainerTermination(
        int exitCode,
        String reason,
        String message,
        Optional<Instant> startedAt,
        Optional<Instant> finishedAt,
        String containerId) {

    private static final int KILLED = 137;

    /// Termination of a container that ran and was lost by the runtime.
    static ContainerTermination unknown(String containerId) {
        return new ContainerTermination(
                KILLED,
                "ContainerStatusUnknown",
                "The container could not be located when the pod was terminated",
                Optional.empty(),
                Optional.empty(),
                containerId);
    }

    static ContainerTermination of(JsonObject terminated) {
        return new ContainerTermination(
                (int) terminated.number("exitCode").orElse(0),
                terminated.text("reason"),
                terminated.text("message"),
                PodDefinition.instant(terminated.text("startedAt")),
                PodDefinition.instant(terminated.text("finishedAt")),
                terminated.text("containerID"));
    }

    JsonObject tree() {
        var tree = JsonObject.of("exitCode", Json.of(exitCode)).with("reason", Json.of(reason));
        if (startedAt.isPresent()) {
            tree = tree.with("startedAt", Json.of(startedAt.get()));
        }
        if (finishedAt.isPresent()) {
            tree = tree.with("finishedAt", Json.of(finishedAt.get()));
        }
        if (!message.isEmpty()) {
            tree = tree.with("message", Json.of(message));
        }
        return containerId.isEmpty() ? tree : tree.with("containerID", Json.of(containerId));
    }
}
