package dev.berth.node.runtime;

import dev.berth.model.api.Uid;
import java.nio.file.Path;
import java.time.Instant;

/// A container as it is.
///
/// @param imageId of the image that it was made of
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

    /// How far a container is.
    public sealed interface Phase {

        record Created() implements Phase {}

        record Running(Instant startedAt) implements Phase {}

        /// It has ended.
        ///
        /// @param reason `Completed`, `Error`, `OOMKilled`, or what else the runtime knows
        record Exited(
                Instant startedAt, Instant finishedAt, int exitCode, String reason, String message)
                implements Phase {}
    }
}
