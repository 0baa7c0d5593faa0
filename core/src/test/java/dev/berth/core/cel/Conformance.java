package dev.berth.core.cel;

import dev.berth.harness.SharedData;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// Recorded results of Kubernetes, one JSON object per line, where this machine has them.
final class Conformance {

    private Conformance() {}

    /// The lines of a file as maps, lists, strings, longs, doubles and booleans; no nulls. Skips
    /// the test when the file does not exist.
    static List<Map<String, Object>> lines(String name) {
        return SharedData.conformanceLines(name).stream().map(Conformance::object).toList();
    }

    private static Map<String, Object> object(String line) {
        try (var parser =
                JsonFactory.builder().build().createParser(ObjectReadContext.empty(), line)) {
            parser.nextToken();
            return members(parser);
        }
    }

    private static Map<String, Object> members(JsonParser parser) {
        var members = new HashMap<String, Object>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            var name = parser.currentName();
            parser.nextToken();
            value(parser).ifPresent(value -> members.put(name, value));
        }
        return members;
    }

    private static List<Object> items(JsonParser parser) {
        var items = new ArrayList<Object>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            value(parser).ifPresent(items::add);
        }
        return items;
    }

    private static Optional<Object> value(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> Optional.of(members(parser));
            case START_ARRAY -> Optional.of(items(parser));
            case VALUE_STRING -> Optional.of(parser.getString());
            case VALUE_NUMBER_INT -> Optional.of(parser.getBigIntegerValue());
            case VALUE_NUMBER_FLOAT -> Optional.of(parser.getDoubleValue());
            case VALUE_TRUE -> Optional.of(true);
            case VALUE_FALSE -> Optional.of(false);
            case VALUE_NULL -> Optional.empty();
            default -> throw new IllegalStateException("unexpected " + parser.currentToken());
        };
    }
}
