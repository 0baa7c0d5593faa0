package dev.berth.app.running;

import dev.berth.model.file.AtomicFile;
import dev.berth.model.file.PrivateFile;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A cluster of `berth up`, as its process describes it in the file `cluster.json` of its data
/// directory. The file of a killed process remains; [#isRunning] compares the process.
///
/// @param process identity of the process beyond its pid
/// @param progress what the start waits for; empty when it waits for nothing
/// @param realNode the name of this machine as a node
public record ClusterRecord(
        Path directory,
        long pid,
        String process,
        Instant startedAt,
        String server,
        Phase phase,
        String progress,
        List<NodeGroup> nodes,
        Optional<String> realNode) {

    private static final String FILE = "cluster.json";

    /// The progress of a cluster's start.
    public enum Phase {
        STARTING,
        /// The API server answers and all nodes are registered.
        UP,
        /// All nodes are ready and their slices are published.
        READY
    }

    /// Nodes of one profile.
    public record NodeGroup(String profile, int count, String description) {}

    public ClusterRecord {
        nodes = List.copyOf(nodes);
    }

    /// The record of a cluster in this process.
    public static ClusterRecord ofThisProcess(
            Path directory, String server, List<NodeGroup> nodes, Instant now) {
        var pid = ProcessHandle.current().pid();
        return new ClusterRecord(
                directory.toAbsolutePath().normalize(),
                pid,
                ClusterProcessId.of(pid).orElse(""),
                now,
                server,
                Phase.STARTING,
                "",
                nodes,
                Optional.empty());
    }

    public ClusterRecord with(Phase newPhase, String newProgress) {
        return new ClusterRecord(
                directory, pid, process, startedAt, server, newPhase, newProgress, nodes, realNode);
    }

    public ClusterRecord withRealNode(String name) {
        return new ClusterRecord(
                directory,
                pid,
                process,
                startedAt,
                server,
                phase,
                progress,
                nodes,
                Optional.of(name));
    }

    /// The running cluster of a data directory.
    public static Optional<ClusterRecord> running(Path directory) {
        return read(directory).filter(ClusterRecord::isRunning);
    }

    /// The record of a data directory, whether or not its process still runs.
    public static Optional<ClusterRecord> read(Path directory) {
        var file = directory.resolve(FILE);
        try {
            return Files.exists(file)
                    ? parse(directory.toAbsolutePath().normalize(), Files.readString(file))
                    : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private static Optional<ClusterRecord> parse(Path directory, String text) {
        if (!(JsonReader.read(text) instanceof ParseResult.Documents(var documents))
                || documents.isEmpty()
                || !(documents.getFirst().root() instanceof JsonObject tree)) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new ClusterRecord(
                            directory,
                            tree.number("pid").orElse(0),
                            tree.text("process"),
                            Instant.parse(tree.text("startedAt")),
                            tree.text("server"),
                            Phase.valueOf(tree.text("phase").toUpperCase(Locale.ROOT)),
                            tree.text("progress"),
                            tree.objects("nodes").stream().map(ClusterRecord::group).toList(),
                            tree.string("realNode")));
        } catch (IllegalArgumentException | DateTimeParseException _) {
            return Optional.empty();
        }
    }

    private static NodeGroup group(JsonObject tree) {
        return new NodeGroup(
                tree.text("profile"),
                Math.toIntExact(tree.number("count").orElse(0)),
                tree.text("description"));
    }

    /// True when the process that wrote the record still runs.
    public boolean isRunning() {
        return !process.isEmpty() && ClusterProcessId.of(pid).filter(process::equals).isPresent();
    }

    /// The kubeconfig of the administrator.
    public Path kubeconfig() {
        return directory.resolve("kubeconfig");
    }

    /// Writes the record into the data directory.
    public void write() {
        try {
            PrivateFile.write(directory.resolve(FILE), JsonWriter.pretty(tree()));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot write %s: %s".formatted(directory.resolve(FILE), e.getMessage()), e);
        }
    }

    private JsonObject tree() {
        var groups =
                nodes.stream()
                        .map(one ->
                                JsonObject.of("profile", Json.of(one.profile()))
                                        .with("count", Json.of(one.count()))
                                        .with("description", Json.of(one.description())))
                        .toList();
        var tree =
                JsonObject.of("pid", Json.of(pid))
                        .with("process", Json.of(process))
                        .with("startedAt", Json.of(startedAt.toString()))
                        .with("server", Json.of(server))
                        .with("phase", Json.of(phase.name().toLowerCase(Locale.ROOT)))
                        .with("progress", Json.of(progress))
                        .with("nodes", Json.array(groups));
        return realNode.map(name -> tree.with("realNode", Json.of(name))).orElse(tree);
    }

    /// Removes the record of a process that has ended or is about to end; that of another process
    /// stays.
    public void delete() {
        if (read(directory).filter(other -> other.process.equals(process)).isPresent()) {
            try {
                AtomicFile.delete(directory.resolve(FILE));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
