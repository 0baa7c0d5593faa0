package dev.berth.client.config;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Kubeconfig files, merged as kubectl does: of entries with the same name the first file's is used
/// as a whole.
public final class Kubeconfig {

    private final List<Path> files;
    private final ProgramEnvironment environment;
    private final Map<String, Entry> clusters = new LinkedHashMap<>();
    private final Map<String, Entry> users = new LinkedHashMap<>();
    private final Map<String, Entry> contexts = new LinkedHashMap<>();
    private String currentContext = "";

    /// A named entry (cluster, user or context) and the file that contains it.
    record Entry(Path file, String name, JsonObject content) {}

    private Kubeconfig(List<Path> files, ProgramEnvironment environment) {
        this.files = files;
        this.environment = environment;
    }

    /// The files that are read when none is named: `KUBECONFIG` or `$HOME/.kube/config`.
    public static List<Path> files(ProgramEnvironment environment) {
        var variable = environment.variable("KUBECONFIG");
        if (variable.isEmpty()) {
            return List.of(environment.home().resolve(".kube").resolve("config"));
        }
        return Stream.of(variable.get().split(File.pathSeparator, -1))
                .filter(name -> !name.isEmpty())
                .map(Path::of)
                .toList();
    }

    /// Reads and merges files. Of several files, missing ones are skipped.
    ///
    /// @throws ConfigException when no file exists, or one is invalid
    public static Kubeconfig read(List<Path> files, ProgramEnvironment environment) {
        var config = new Kubeconfig(List.copyOf(files), environment);
        var found = files.stream().filter(Files::exists).toList();
        if (found.isEmpty()) {
            throw new ConfigException(
                    "kubeconfig: none of %s exists; name another with --kubeconfig or KUBECONFIG"
                            .formatted(files));
        }
        found.forEach(config::add);
        return config;
    }

    private void add(Path file) {
        var tree = tree(file.toAbsolutePath());
        collect(file.toAbsolutePath(), tree, "clusters", "cluster", clusters);
        collect(file.toAbsolutePath(), tree, "users", "user", users);
        collect(file.toAbsolutePath(), tree, "contexts", "context", contexts);
        if (currentContext.isEmpty()) {
            currentContext = tree.text("current-context");
        }
    }

    private static JsonObject tree(Path file) {
        String text;
        try {
            text = Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new ConfigException(
                    "kubeconfig %s: cannot be read; check its permissions".formatted(file), e);
        }
        return switch (YamlReader.read(text)) {
            case ParseResult.Documents(var documents) when documents.isEmpty() -> JsonObject.EMPTY;
            case ParseResult.Documents(var documents)
                    when documents.getFirst().root() instanceof JsonObject tree ->
                    tree;
            case ParseResult.Documents _ ->
                    throw new ConfigException(
                            "kubeconfig %s: is not a YAML object".formatted(file));
            case ParseResult.Malformed(var message, var line, var column) ->
                    throw new ConfigException(
                            "kubeconfig %s: line %d, column %d: %s"
                                    .formatted(file, line, column, message));
        };
    }

    private static void collect(
            Path file, JsonObject tree, String list, String member, Map<String, Entry> into) {
        for (var item : tree.objects(list)) {
            var name = item.text("name");
            into.putIfAbsent(name, new Entry(file, name, item.objectOrEmpty(member)));
        }
    }

    /// Context names, in the order of the files.
    public List<String> contexts() {
        return new ArrayList<>(contexts.keySet());
    }

    /// Address and credentials of a context.
    ///
    /// @param context empty for the current one
    /// @throws ConfigException when the context does not exist or is invalid
    public ClusterAccess access(Optional<String> context) {
        var name = context.orElse(currentContext);
        if (name.isEmpty()) {
            throw new ConfigException(
                    "kubeconfig %s: there is no current-context; choose one of %s with --context"
                            .formatted(files, contexts.keySet()));
        }
        var chosen = contexts.get(name);
        if (chosen == null) {
            throw new ConfigException(
                    "kubeconfig %s: there is no context \"%s\"; choose one of %s"
                            .formatted(files, name, contexts.keySet()));
        }
        var cluster = named("cluster", chosen, clusters);
        var user =
                chosen.content.text("user").isEmpty()
                        ? new Entry(chosen.file, "", JsonObject.EMPTY)
                        : named("user", chosen, users);
        var reader = new ClusterAccessReader(environment, chosen);
        return reader.access(cluster, user);
    }

    private static Entry named(String what, Entry context, Map<String, Entry> known) {
        var name = context.content.text(what);
        var entry = known.get(name);
        if (entry == null) {
            throw new ConfigException(
                    "kubeconfig %s: context \"%s\" names the %s \"%s\", which is not there;"
                                    .formatted(context.file, context.name, what, name)
                            + " there is "
                            + listed(known.keySet()));
        }
        return entry;
    }

    private static String listed(Set<String> names) {
        return names.isEmpty() ? "none" : String.join(", ", names);
    }
}
