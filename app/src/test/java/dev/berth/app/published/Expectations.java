package dev.berth.app.published;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.ParsedDocument;
import dev.berth.model.json.YamlReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Expected results of published manifests: `expectations.yaml`.
///
/// @param text content of the file
record Expectations(JsonObject text) {

    static Expectations read() {
        try (var in = Expectations.class.getResourceAsStream("expectations.yaml")) {
            if (in == null) {
                throw new IllegalStateException("expectations.yaml is not among the resources");
            }
            var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return switch (YamlReader.read(text)) {
                case ParseResult.Documents(var documents) -> of(documents.getFirst());
                case ParseResult.Malformed malformed ->
                        throw new IllegalStateException("expectations.yaml: " + malformed);
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Expectations of(ParsedDocument document) {
        if (document.root() instanceof JsonObject object) {
            return new Expectations(object);
        }
        throw new IllegalStateException("expectations.yaml is not an object");
    }

    /// The nodes for a file: the entry with the longest matching prefix.
    Optional<String> nodes(String file) {
        var fleets = text.objectOrEmpty("fleets");
        return fleets.names().stream()
                .filter(file::startsWith)
                .max(Comparator.comparingInt(String::length))
                .map(fleets::text);
    }

    /// Files that must be applied first.
    List<String> companions(String file) {
        return text.objectOrEmpty("companions").strings(file);
    }

    /// The reason why a kind is not served.
    Optional<String> foreign(String kind) {
        return text.objectOrEmpty("foreign").string(kind);
    }

    /// Expected failures by object.
    Map<String, ManifestResult> exceptions(String file) {
        var exceptions = new HashMap<String, ManifestResult>();
        for (var one : text.objects("exceptions")) {
            if (one.text("file").equals(file)) {
                exceptions.put(one.text("object"), result(one));
            }
        }
        return exceptions;
    }

    private static ManifestResult result(JsonObject one) {
        if (one.text("because").isEmpty()) {
            throw new IllegalStateException("no reason is given: " + one);
        }
        return one.has("rejected")
                ? new ManifestResult.Rejected(one.text("rejected"))
                : new ManifestResult.Pending(one.text("pending"));
    }

    /// Files with expected failures or companions.
    List<String> files() {
        var files =
                new java.util.TreeSet<>(
                        text.objects("exceptions").stream().map(one -> one.text("file")).toList());
        files.addAll(text.objectOrEmpty("companions").names());
        return List.copyOf(files);
    }
}
