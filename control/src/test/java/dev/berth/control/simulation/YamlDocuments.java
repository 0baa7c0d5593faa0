package dev.berth.control.simulation;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Reads YAML documents of tests.
final class YamlDocuments {

    private YamlDocuments() {}

    static List<JsonObject> resource(String name) {
        try (var stream = YamlDocuments.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("no " + name);
            }
            return all(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonObject one(String yaml) {
        return all(yaml).getFirst();
    }

    private static List<JsonObject> all(String yaml) {
        if (!(YamlReader.read(yaml) instanceof ParseResult.Documents(var documents))) {
            throw new IllegalArgumentException(yaml);
        }
        return documents.stream().map(document -> (JsonObject) document.root()).toList();
    }
}
