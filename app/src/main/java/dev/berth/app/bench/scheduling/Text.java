package dev.berth.app.bench.scheduling;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.Reading;
import java.nio.charset.StandardCharsets;

/// Objects written as people write them.
final class Text {

    private Text() {}

    /// An object in JSON with placeholders.
    static JsonObject json(String text, Object... values) {
        var bytes = text.formatted(values).getBytes(StandardCharsets.UTF_8);
        if (JsonReader.read(bytes) instanceof Reading.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject object) {
            return object;
        }
        throw new IllegalArgumentException("no object: " + text.formatted(values));
    }
}
