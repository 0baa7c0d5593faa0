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

/// What is expected of published manifests: `expectations.yaml`.
///
/// @param text which explains itself
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

    /// The nodes for a file: those of the longest beginning of its name.
    Optional<String> nodes(String file) {
        var fleets = text.objectOrEmpty("fleets");
        return fleets.names().stream()
                .filter(file::startsWith)
                .max(Comparator.comparingInt(String::length))
                .map(fleets::text);
    }

    /// Files that have to be there first.
    List<String> companions(String file) {
        return text.objectOrEmpty("companions").strings(file);
    }

    /// Why a kind is not served here.
    Optional<String> foreign(String kind) {
        return text.objectOrEmpty("foreign").string(kind);
    }

    /// What does not work, by what it is about.
    Map<String, Fate> exceptions(String file) {
        var exceptions = new HashMap<String, Fate>();
        for (var one : text.objects("exceptions")) {
            if (one.text("file").equals(file)) {
                exceptions.put(one.text("object"), fate(one));
            }
        }
        return exceptions;
    }

    private static Fate fate(JsonObject one) {
        if (one.text("because").isEmpty()) {
            throw new IllegalStateException("no reason is given: " + one);
        }
        return one.has("rejected")
                ? new Fate.Rejected(one.text("rejected"))
                : new Fate.Pending(one.text("pending"));
    }

    /// The files for which there are exceptions or companions.
    List<String> files() {
        var files =
                new java.util.TreeSet<>(
                        text.objects("exceptions").stream().map(one -> one.text("file")).toList());
        files.addAll(text.objectOrEmpty("companions").names());
        return List.copyOf(files);
    }
}
