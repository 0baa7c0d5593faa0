package dev.berth.core.admission;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Recorded results of Kubernetes, one JSON object per line, where this machine has them.
final class RecordedResults {

    private RecordedResults() {}

    /// The lines of a file; skips the test when the file does not exist.
    static List<JsonObject> of(String name) {
        var file =
                Optional.ofNullable(System.getProperty("berth.conformance"))
                        .map(Path::of)
                        .or(RecordedResults::nextToRepository)
                        .map(folder -> folder.resolve(name))
                        .filter(Files::exists);
        assumeTrue(file.isPresent(), "no shared/conformance/" + name + " here");
        try {
            return Files.readAllLines(file.orElseThrow()).stream()
                    .map(RecordedResults::object)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<Path> nextToRepository() {
        var start = Path.of("").toAbsolutePath();
        return Stream.<@Nullable Path>iterate(start, at -> at != null, at -> at.getParent())
                .map(at -> at.resolve("shared/conformance"))
                .filter(Files::isDirectory)
                .findFirst();
    }

    private static JsonObject object(String line) {
        return switch (JsonReader.read(line)) {
            case ParseResult.Documents(var documents)
                    when documents.getFirst().root() instanceof JsonObject object ->
                    object;
            case ParseResult.Documents _ ->
                    throw new IllegalStateException("not an object: " + line);
            case ParseResult.Malformed(var message, _, _) ->
                    throw new IllegalStateException(message);
        };
    }
}
