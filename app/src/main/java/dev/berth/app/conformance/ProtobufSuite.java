package dev.berth.app.conformance;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.schema.protobuf.ProtobufCodec;
import dev.berth.schema.protobuf.ProtobufException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Optional;

/// Objects in JSON and protobuf: decoding gives the recorded JSON, and encoding that JSON loses
/// nothing.
final class ProtobufSuite implements Suite {

    private final ProtobufCodec codec = ProtobufCodec.builtIn();

    @Override
    public Optional<String> absent(JsonObject recorded) {
        try {
            decoded(recorded);
            return Optional.empty();
        } catch (ProtobufException e) {
            return e.reason() == ProtobufException.Reason.UNKNOWN_KIND
                    ? Optional.of(String.valueOf(e.getMessage()))
                    : Optional.empty();
        }
    }

    @Override
    public Optional<Difference> compare(JsonObject recorded) {
        var expected = recorded.objectOrEmpty("object");
        var actual = decoded(recorded);
        if (!sorted(expected).equals(sorted(actual))) {
            return Optional.of(difference(expected, actual));
        }
        var again = actual.has("kind") ? codec.decode(codec.encode(actual)) : actual;
        return withoutNull(sorted(again)).equals(withoutNull(sorted(actual)))
                ? Optional.empty()
                : Optional.of(difference(actual, again));
    }

    private static boolean isFrame(JsonObject recorded) {
        return recorded.text("form").equals("watch-frame");
    }

    private JsonObject decoded(JsonObject recorded) {
        var bytes = Base64.getDecoder().decode(recorded.text("protobuf"));
        return isFrame(recorded)
                ? ProtobufCodec.json(
                        codec.decodeFrame(Arrays.copyOfRange(bytes, Integer.BYTES, bytes.length)))
                : codec.decode(bytes, "v1", "WatchEvent").object();
    }

    private static Difference difference(JsonObject expected, JsonObject actual) {
        return new Difference(JsonWriter.compact(expected), JsonWriter.compact(actual));
    }

    /// The value with the members of all objects in the order of their names.
    private static Json sorted(Json value) {
        return switch (value) {
            case JsonObject object -> {
                var members = new LinkedHashMap<String, Json>();
                object.names().stream()
                        .sorted()
                        .forEach(name -> members.put(name, sorted(object.memberOrNull(name))));
                yield new JsonObject(members);
            }
            case JsonArray(var items) ->
                    Json.array(items.stream().map(one -> sorted(one)).toList());
            default -> value;
        };
    }

    /// The value without members that are `null`, which are not encoded.
    private static Json withoutNull(Json value) {
        return switch (value) {
            case JsonObject object -> {
                var members = new LinkedHashMap<String, Json>();
                for (var name : object.names()) {
                    if (!(object.memberOrNull(name) instanceof JsonNull)) {
                        members.put(name, withoutNull(object.memberOrNull(name)));
                    }
                }
                yield new JsonObject(members);
            }
            case JsonArray(var items) -> {
                var kept = new ArrayList<Json>();
                items.forEach(item -> kept.add(withoutNull(item)));
                yield new JsonArray(kept);
            }
            default -> value;
        };
    }
}
