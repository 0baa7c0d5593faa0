package dev.berth.app.running;

import dev.berth.client.config.ConfigException;
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
import java.util.Optional;

/// The context of a cluster in the user's kubeconfig: written by `berth up --write-kubeconfig`,
/// removed by `berth down`. A file in the data directory says where it was written.
public final class KubeconfigContext {

    private static final String RECORD = "kubeconfig-context.json";
    private static final String NAME = "berth";
    private static final String CURRENT = "current-context";

    private KubeconfigContext() {}

    /// The context of a data directory that was written; empty for none.
    public static Optional<String> of(Path directory) {
        return record(directory).map(one -> one.text("context"));
    }

    /// Adds cluster, user and context of a cluster to a kubeconfig, or updates them, and makes the
    /// context the current one.
    ///
    /// @param directory the data directory of the cluster
    /// @param source the kubeconfig of its administrator
    /// @return the name of the context
    public static String write(Path file, Path directory, Path source) {
        var name = name(directory);
        var own = KubeconfigFile.read(source);
        KubeconfigFile.change(
                file,
                before -> {
                    remember(directory, file, name, before.text(CURRENT));
                    return KubeconfigFile.withContext(before, name, own);
                });
        return name;
    }

    /// The kubeconfig that kubectl changes: the first of `KUBECONFIG`, or `~/.kube/config`.
    public static Path fileOfUser() {
        return KubeconfigFile.ofUser();
    }

    /// The name of the context: `berth` for the default data directory, otherwise with the name of
    /// the directory.
    static String name(Path directory) {
        var path = directory.toAbsolutePath().normalize();
        if (path.equals(DataDirectory.usual().toAbsolutePath().normalize())) {
            return NAME;
        }
        var last = String.valueOf(path.getFileName()).replaceAll("[^A-Za-z0-9._-]+", "-");
        return NAME + "-" + last;
    }

    /// Removes what [#write] has added; the name of the context, if there was one.
    public static Optional<String> remove(Path directory) {
        var record = record(directory);
        if (record.isEmpty()) {
            return Optional.empty();
        }
        var name = record.get().text("context");
        var file = Path.of(record.get().text("file"));
        if (Files.exists(file)) {
            KubeconfigFile.change(
                    file,
                    before ->
                            KubeconfigFile.withoutContext(
                                    before, name, record.get().text("previous")));
        }
        try {
            AtomicFile.delete(directory.resolve(RECORD));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Optional.of(name);
    }

    private static Optional<JsonObject> record(Path directory) {
        var file = directory.resolve(RECORD);
        try {
            return Files.exists(file)
                            && JsonReader.read(Files.readString(file))
                                    instanceof ParseResult.Documents(var documents)
                            && documents.getFirst().root() instanceof JsonObject tree
                    ? Optional.of(tree)
                    : Optional.empty();
        } catch (IOException e) {
            throw new ConfigException("cannot read %s: %s".formatted(file, e.getMessage()), e);
        }
    }

    private static void remember(Path directory, Path file, String name, String current) {
        // A second start must not take our own context for the one before.
        var previous =
                current.equals(name)
                        ? record(directory).map(one -> one.text("previous")).orElse("")
                        : current;
        var tree =
                JsonObject.of("file", Json.of(file.toAbsolutePath().toString()))
                        .with("context", Json.of(name))
                        .with("previous", Json.of(previous));
        try {
            PrivateFile.write(directory.resolve(RECORD), JsonWriter.pretty(tree));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
