package dev.berth.node.oci;

import dev.berth.model.api.meta.Uid;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/// Persistent record of a container.
///
/// @param pod UID of its pod
/// @param process first process of the container
/// @param monitor its conmon process
/// @param startedAt when its start was requested
record ContainerRecord(
        String id,
        String sandbox,
        Uid pod,
        String name,
        int attempt,
        Stage stage,
        String boot,
        Instant createdAt,
        String imageId,
        Path log,
        String stopSignal,
        Optional<ProcessIdentity> process,
        Optional<ProcessIdentity> monitor,
        Optional<Instant> startedAt)
        implements DurableRecord {

    /// Lifecycle stage of a container.
    enum Stage {
        /// May be partly created.
        MAKING,
        CREATED,
        /// Its start was requested, or was about to be.
        STARTED,
        /// May be partly removed.
        REMOVING
    }

    ContainerRecord at(Stage next) {
        return changed(next, process, monitor, startedAt);
    }

    ContainerRecord created(ProcessIdentity first, Optional<ProcessIdentity> waiting) {
        return changed(Stage.CREATED, Optional.of(first), waiting, Optional.empty());
    }

    ContainerRecord started(Instant now) {
        return changed(Stage.STARTED, process, monitor, Optional.of(now));
    }

    private ContainerRecord changed(
            Stage next,
            Optional<ProcessIdentity> first,
            Optional<ProcessIdentity> waiting,
            Optional<Instant> started) {
        return new ContainerRecord(
                id,
                sandbox,
                pod,
                name,
                attempt,
                next,
                boot,
                createdAt,
                imageId,
                log,
                stopSignal,
                first,
                waiting,
                started);
    }

    @Override
    public JsonObject tree() {
        return JsonObject.of("id", Json.of(id))
                .with("sandbox", Json.of(sandbox))
                .with("pod", Json.of(pod.value()))
                .with("name", Json.of(name))
                .with("attempt", Json.of(attempt))
                .with("stage", Json.of(stage.name()))
                .with("boot", Json.of(boot))
                .with("createdAt", Json.of(createdAt.toString()))
                .with("imageId", Json.of(imageId))
                .with("log", Json.of(log.toString()))
                .with("stopSignal", Json.of(stopSignal))
                .with("process", RecordJson.of(process))
                .with("monitor", RecordJson.of(monitor))
                .with("startedAt", Json.of(startedAt.map(Instant::toString).orElse("")));
    }

    static ContainerRecord read(JsonObject tree) {
        return new ContainerRecord(
                tree.text("id"),
                tree.text("sandbox"),
                new Uid(tree.text("pod")),
                tree.text("name"),
                (int) tree.number("attempt").orElse(0),
                Stage.valueOf(tree.text("stage")),
                tree.text("boot"),
                Instant.parse(tree.text("createdAt")),
                tree.text("imageId"),
                Path.of(tree.text("log")),
                tree.text("stopSignal"),
                RecordJson.process(tree, "process"),
                RecordJson.process(tree, "monitor"),
                tree.string("startedAt").filter(one -> !one.isEmpty()).map(Instant::parse));
    }
}
