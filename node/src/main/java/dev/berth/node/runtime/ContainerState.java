package dev.berth.node.runtime;

import dev.berth.model.api.meta.Uid;
import java.nio.file.Path;
import java.time.Instant;

/// Observed state of a container.
///
/// @param imageId ID of its image
public record ContainerState(
        String id,
        String sandbox,
        Uid pod,
        String name,
        int attempt,
        Phase phase,
        Instant createdAt,
        String imageId,
        Path log) {

    /// Lifecycle phase of a container.
    public sealed interface Phase {

        record Created() implements Phase {}

        record Running(Instant startedAt) implements Phase {}

        /// The container has exited.
        ///
        /// @param reason `Completed`, `Error`, `OOMKilled`, or another reason of the runtime
        record Exited(
                Instant startedAt, Instant finishedAt, int exitCode, String reason, String message)
                implements Phase {}
    }
}
