package dev.berth.server.http;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.YamlWriter;
import dev.berth.server.registry.Failure;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// What is answered.
public sealed interface Reply {

    /// Everything at once. The bytes must not be changed by anybody.
    ///
    /// @param warnings for the person who asked
    @SuppressWarnings("ArrayRecordComponent")
    record Content(int status, String type, byte[] bytes, List<String> warnings) implements Reply {
        public Content {
            warnings = List.copyOf(warnings);
        }
    }

    /// Changes as they happen.
    record Watching(WatchFeed feed) implements Reply {}

    static Content of(int status, Json value, Media media, List<String> warnings) {
        var text =
                switch (media.encoding()) {
                    case JSON -> JsonWriter.compact(value) + "\n";
                    case YAML -> YamlWriter.write(value);
                };
        return new Content(
                status, media.encoding().type(), text.getBytes(StandardCharsets.UTF_8), warnings);
    }

    static Content json(int status, Json value) {
        return of(status, value, new Media(Media.Encoding.JSON, Media.Form.WHOLE, ""), List.of());
    }

    static Content text(int status, String text) {
        return new Content(
                status,
                "text/plain; charset=utf-8",
                text.getBytes(StandardCharsets.UTF_8),
                List.of());
    }

    static Content failure(Failure failure) {
        return json(failure.code(), failure.toJson());
    }
}
