package dev.berth.app.running;

import dev.berth.client.config.ConfigException;
import dev.berth.client.config.Kubeconfig;
import dev.berth.client.config.ProgramEnvironment;
import dev.berth.model.file.PrivateFile;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.model.json.YamlWriter;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// A kubeconfig of the user that is changed: as a whole, or not at all. Other entries and unknown
/// fields are kept; comments are lost.
final class KubeconfigFile {

    private static final String CURRENT = "current-context";
    private static final int LOCK_ATTEMPTS = 50;
    private static final int LOCK_PAUSE_MILLIS = 100;

    private KubeconfigFile() {}

    /// The file that kubectl writes: the first of `KUBECONFIG`, or `~/.kube/config`.
    static Path ofUser() {
        return Kubeconfig.files(ProgramEnvironment.system()).getFirst();
    }

    static JsonObject read(Path file) {
        String text;
        try {
            text = Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new ConfigException(
                    "kubeconfig %s: cannot be read: %s".formatted(file, e.getMessage()), e);
        }
        return switch (YamlReader.read(text)) {
            case ParseResult.Documents(var documents) when documents.isEmpty() -> JsonObject.EMPTY;
            case ParseResult.Documents(var documents)
                    when documents.size() == 1
                            && documents.getFirst().root() instanceof JsonObject tree ->
                    tree;
            case ParseResult.Documents(var documents)
                    when documents.size() == 1
                            && documents.getFirst().root() instanceof Json.JsonNull ->
                    JsonObject.EMPTY;
            case ParseResult.Documents _ ->
                    throw new ConfigException(
                            "kubeconfig %s: is not one YAML object; it was not changed"
                                    .formatted(file));
            case ParseResult.Malformed(var message, var line, var column) ->
                    throw new ConfigException(
                            "kubeconfig %s: line %d, column %d: %s; it was not changed"
                                    .formatted(file, line, column, message));
        };
    }

    /// Changes a file, under the lock that kubectl uses for it.
    static void change(Path file, UnaryOperator<JsonObject> change) {
        try {
            // A link stays a link.
            var target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
            Files.createDirectories(target.resolveSibling(""));
            var lock = lock(target);
            try {
                var text = YamlWriter.write(change.apply(read(target)));
                PrivateFile.write(target, text);
            } finally {
                Files.deleteIfExists(lock);
            }
        } catch (IOException e) {
            throw new ConfigException(
                    "kubeconfig %s: cannot be changed: %s".formatted(file, e.getMessage()), e);
        }
    }

    private static Path lock(Path file) throws IOException {
        var lock = file.resolveSibling(file.getFileName() + ".lock");
        for (var i = 0; ; i++) {
            try {
                return PrivateFile.create(lock);
            } catch (FileAlreadyExistsException e) {
                if (i == LOCK_ATTEMPTS) {
                    throw new ConfigException(
                            "kubeconfig %s: another program is changing it; remove %s if none is"
                                    .formatted(file, lock),
                            e);
                }
            }
            try {
                Thread.sleep(LOCK_PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ConfigException("interrupted", e);
            }
        }
    }

    /// With cluster, user and context of another kubeconfig under one name, as the current context.
    static JsonObject withContext(JsonObject config, String name, JsonObject other) {
        var changed = config.isEmpty() ? empty() : config;
        changed = with(changed, "clusters", name, "cluster", first(other, "clusters", "cluster"));
        changed = with(changed, "users", name, "user", first(other, "users", "user"));
        var context = JsonObject.of("cluster", Json.of(name)).with("user", Json.of(name));
        changed = with(changed, "contexts", name, "context", context);
        return changed.with(CURRENT, Json.of(name));
    }

    private static JsonObject empty() {
        return JsonObject.of("apiVersion", Json.of("v1"))
                .with("kind", Json.of("Config"))
                .with("clusters", Json.array())
                .with("users", Json.array())
                .with("contexts", Json.array())
                .with(CURRENT, Json.of(""));
    }

    private static JsonObject first(JsonObject config, String list, String member) {
        return config.objects(list).stream()
                .findFirst()
                .map(one -> one.objectOrEmpty(member))
                .orElse(JsonObject.EMPTY);
    }

    private static JsonObject with(
            JsonObject config, String list, String name, String member, JsonObject content) {
        var entries = new ArrayList<>(config.items(list));
        var entry = JsonObject.of("name", Json.of(name)).with(member, content);
        var at = 0;
        while (at < entries.size() && !isNamed(entries.get(at), name)) {
            at++;
        }
        if (at == entries.size()) {
            entries.add(entry);
        } else {
            entries.set(at, entry);
        }
        return config.with(list, Json.array(entries));
    }

    /// Without cluster, user and context of a name.
    ///
    /// @param previous becomes the current context if ours was, and if it still exists
    static JsonObject withoutContext(JsonObject config, String name, String previous) {
        var changed = config;
        for (var list : List.of("clusters", "users", "contexts")) {
            if (changed.has(list)) {
                var left = changed.items(list).stream().filter(one -> !isNamed(one, name)).toList();
                changed = changed.with(list, Json.array(left));
            }
        }
        if (!changed.text(CURRENT).equals(name)) {
            return changed;
        }
        var isThere = changed.items("contexts").stream().anyMatch(one -> isNamed(one, previous));
        return changed.with(CURRENT, Json.of(isThere ? previous : ""));
    }

    private static boolean isNamed(Json entry, String name) {
        return entry instanceof JsonObject object && object.text("name").equals(name);
    }
}
