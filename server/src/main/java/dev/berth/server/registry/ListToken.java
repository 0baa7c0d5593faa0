package dev.berth.server.registry;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// The continue token of a paged list.
///
/// @param revision the revision of all pages
/// @param after key of the last object of the previous page
record ListToken(long revision, String after) {

    private static final String VERSION = "meta.k8s.io/v1";

    String text() {
        var json =
                JsonObject.of("v", Json.of(VERSION))
                        .with("rv", Json.of(revision))
                        .with("start", Json.of(after));
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(JsonWriter.compact(json).getBytes(StandardCharsets.UTF_8));
    }

    static ListToken read(String text) {
        try {
            if (JsonReader.read(Base64.getUrlDecoder().decode(text))
                            instanceof ParseResult.Documents(var documents)
                    && documents.getFirst().root() instanceof JsonObject json
                    && json.text("v").equals(VERSION)
                    && json.number("rv").orElse(0) > 0
                    && !json.text("start").isEmpty()) {
                return new ListToken(json.number("rv").getAsLong(), json.text("start"));
            }
        } catch (IllegalArgumentException _) {
            // Not Base64: rejected below, like every token that this server did not issue.
        }
        throw ApiError.badRequest("continue key is not valid: it was not given by this server")
                .exception();
    }
}
