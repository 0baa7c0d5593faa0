package dev.berth.node.image;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.runtime.EnvVariable;
import dev.berth.node.runtime.ImageConfig;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// An image in the store.
///
/// @param id digest of its configuration
/// @param digest of its manifest; empty if it was imported without one
/// @param names normalized, such as `docker.io/library/busybox:latest`
/// @param settings the `config` of the image configuration
public record StoredImage(
        String id,
        String digest,
        List<String> names,
        long bytes,
        Instant importedAt,
        JsonObject settings) {

    public StoredImage {
        names = List.copyOf(new TreeSet<>(names));
    }

    /// The container configuration of the image.
    public ImageConfig config() {
        return new ImageConfig(
                id,
                settings.strings("Entrypoint"),
                settings.strings("Cmd"),
                settings.strings("Env").stream().map(StoredImage::variable).toList(),
                settings.text("WorkingDir"),
                settings.text("User"));
    }

    /// The signal that stops a container.
    public String stopSignal() {
        return settings.string("StopSignal").filter(one -> !one.isEmpty()).orElse("SIGTERM");
    }

    private static EnvVariable variable(String assignment) {
        var equals = assignment.indexOf('=');
        return equals < 0
                ? new EnvVariable(assignment, "")
                : new EnvVariable(
                        assignment.substring(0, equals), assignment.substring(equals + 1));
    }

    StoredImage withNames(List<String> added) {
        var all = new ArrayList<>(names);
        all.addAll(added);
        return new StoredImage(id, digest, all, bytes, importedAt, settings);
    }

    StoredImage withoutNames(List<String> removed) {
        var rest = names.stream().filter(name -> !removed.contains(name)).toList();
        return new StoredImage(id, digest, rest, bytes, importedAt, settings);
    }

    JsonObject tree() {
        return JsonObject.of("id", Json.of(id))
                .with("digest", Json.of(digest))
                .with("names", Json.array(names.stream().map(Json::of).toList()))
                .with("bytes", Json.of(bytes))
                .with("importedAt", Json.of(importedAt.toString()))
                .with("config", settings);
    }

    static Optional<StoredImage> read(JsonObject tree) {
        try {
            return Optional.of(
                    new StoredImage(
                            tree.text("id"),
                            tree.text("digest"),
                            tree.strings("names"),
                            tree.number("bytes").orElse(0),
                            Instant.parse(tree.text("importedAt")),
                            tree.objectOrEmpty("config")));
        } catch (DateTimeParseException _) {
            return Optional.empty();
        }
    }
}
