package dev.berth.app.bench.scheduling;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/// Parses objects from JSON and YAML templates.
public final class YamlObjects {

    private static final Pattern PLACE = Pattern.compile("%[sd]");

    private YamlObjects() {}

    /// An object from a JSON template with a value for each `%s` and `%d`.
    public static JsonObject json(String text, Object... values) {
        var parts = PLACE.split(text, -1);
        var filled = new StringBuilder(parts[0]);
        for (var i = 1; i < parts.length; i++) {
            filled.append(values[i - 1]).append(parts[i]);
        }
        var bytes = filled.toString().getBytes(StandardCharsets.UTF_8);
        if (JsonReader.read(bytes) instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject object) {
            return object;
        }
        throw new IllegalArgumentException("no object: " + filled);
    }
}
