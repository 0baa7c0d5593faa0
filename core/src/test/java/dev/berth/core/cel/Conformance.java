package dev.berth.core.cel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// Recorded results of Kubernetes, one JSON object per line, where this machine has them.
final class Conformance {

    private Conformance() {}

    /// The file with the given name, or empty if it does not exist.
    static Optional<Path> file(String name) {
        var folder =
                Optional.ofNullable(System.getProperty("berth.conformance"))
                        .map(Path::of)
                        .or(Conformance::nextToRepository);
        return folder.map(found -> found.resolve(name)).filter(Files::exists);
    }

    private static Optional<Path> nextToRepository() {
        var start = Path.of("").toAbsolutePath();
        return Stream.<@Nullable Path>iterate(start, at -> at != null, at -> at.getParent())
                .map(at -> at.resolve("shared/conformance"))
                .filter(Files::isDirectory)
                .findFirst();
    }

    /// The lines of a file as maps, lists, strings, longs, doubles and booleans; no nulls.
    static List<Map<String, Object>> lines(Path file) {
        try (var lines = Files.lines(file)) {
            return lines.map(Conformance::object).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
