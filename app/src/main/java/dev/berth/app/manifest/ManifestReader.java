package dev.berth.app.manifest;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.ParsedDocument;
import dev.berth.model.json.YamlReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// Reads objects from files, from all files of directories, or from standard input.
public final class ManifestReader {

    /// A text that could not be parsed.
    public record Unreadable(String file, int line, int column, String reason) {}

    /// Maximum size of a file.
    private static final long MAX_BYTES = 2_000_000_000L;

    private final Consumer<Manifest> manifests;
    private final List<Unreadable> unreadable = new ArrayList<>();
    private final List<String> empty = new ArrayList<>();
    private int files;

    /// @param manifests gets each object as soon as it is parsed, so that a large file never has
    ///   all its trees in memory; also those before a malformed text
    public ManifestReader(Consumer<Manifest> manifests) {
        this.manifests = manifests;
    }

    /// Reads a file, all manifests below a directory, or standard input where the name is `-`.
    public void read(String name, InputStream standardInput) throws IOException {
        if (name.equals("-")) {
            var text = new String(standardInput.readAllBytes(), StandardCharsets.UTF_8);
            addYaml("stdin", text);
            return;
        }
        var path = Path.of(name);
        if (!Files.exists(path)) {
            throw new NoSuchFileException(name, null, "no such file or directory");
        }
        if (!Files.isDirectory(path)) {
            readFile(path);
            return;
        }
        try (var below = Files.walk(path)) {
            for (var file : below.filter(ManifestReader::isManifest).sorted().toList()) {
                readFile(file);
            }
        }
    }

    private static boolean isManifest(Path file) {
        var name = String.valueOf(file.getFileName());
        return Files.isRegularFile(file)
                && (name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json"));
    }

    private void readFile(Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            unreadable.add(new Unreadable(file.toString(), 1, 1, "the file is larger than 2 GB"));
            return;
        }
        if (file.toString().endsWith(".json")) {
            addJson(file.toString(), Files.readAllBytes(file));
        } else {
            addYaml(file.toString(), new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
        }
    }

    private void addJson(String file, byte[] text) {
        files++;
        switch (JsonReader.read(text)) {
            case ParseResult.Malformed malformed -> add(file, malformed);
            case ParseResult.Documents(var documents) ->
                    documents.forEach(document -> add(file, document));
        }
    }

    private void addYaml(String file, String text) {
        files++;
        var documents = new AtomicInteger();
        var malformed =
                YamlReader.read(
                        text,
                        document -> {
                            documents.incrementAndGet();
                            add(file, document);
                        });
        malformed.ifPresent(one -> add(file, one));
        if (malformed.isEmpty() && documents.get() == 0) {
            empty.add(file);
        }
    }

    private void add(String file, ParseResult.Malformed malformed) {
        unreadable.add(
                new Unreadable(file, malformed.line(), malformed.column(), malformed.message()));
    }

    private void add(String file, ParsedDocument document) {
        if (!(document.root() instanceof JsonObject object)) {
            unreadable.add(
                    new Unreadable(
                            file,
                            document.source().line(),
                            document.source().column(),
                            "expected an object, found " + document.root().kindName()));
            return;
        }
        if (!object.text("kind").endsWith("List") || !object.has("items")) {
            manifests.accept(new Manifest(file, document, FieldPath.ROOT, object));
            return;
        }
        var items = object.objects("items");
        for (var i = 0; i < items.size(); i++) {
            var at = FieldPath.of("items").index(i);
            manifests.accept(new Manifest(file, document, at, typed(items.get(i), object)));
        }
    }

    /// Sets kind and apiVersion of a list item from the list.
    private static JsonObject typed(JsonObject item, JsonObject list) {
        var kind = list.text("kind");
        if (item.has("kind") || kind.equals("List")) {
            return item;
        }
        var name = kind.substring(0, kind.length() - "List".length());
        return item.with("apiVersion", Json.of(list.text("apiVersion")))
                .with("kind", Json.of(name));
    }

    public List<Unreadable> unreadable() {
        return List.copyOf(unreadable);
    }

    /// Files without any object.
    public List<String> empty() {
        return List.copyOf(empty);
    }

    /// The number of files, including those that could not be read.
    public int files() {
        return files;
    }
}
