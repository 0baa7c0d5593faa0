package dev.berth.drivers.sim;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;

/// Objects of tests, written as YAML.
final class Yaml {

    private Yaml() {}

    static JsonObject object(String text) {
        if (YamlReader.read(text) instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject object) {
            return object;
        }
        throw new IllegalArgumentException(text);
    }
}
