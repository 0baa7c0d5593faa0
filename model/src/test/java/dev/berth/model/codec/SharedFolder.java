package dev.berth.model.codec;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Optional test data outside the repository.
final class SharedFolder {

    private SharedFolder() {}

    static Path conformance() {
        var property = System.getProperty("berth.conformance");
        return existing(
                property == null
                        ? repository().resolveSibling("shared").resolve("conformance")
                        : Path.of(property));
    }

    static Path driverManifests() {
        return existing(conformance().resolveSibling("data").resolve("driver-manifests"));
    }

    private static Path repository() {
        var folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve(".git")) && folder.getParent() != null) {
            folder = folder.getParent();
        }
        return folder;
    }

    private static Path existing(Path folder) {
        assumeTrue(Files.isDirectory(folder), () -> "there is no folder " + folder);
        return folder;
    }

    /// The objects of a file with one object per line.
    static List<JsonObject> lines(Path file) throws IOException {
        return Files.readAllLines(file).stream().map(SharedFolder::object).toList();
    }

    private static JsonObject object(String line) {
        return (JsonObject) tree(line);
    }

    private static Json tree(String text) {
        return switch (JsonReader.read(text)) {
            case ParseResult.Documents(var documents) -> documents.getFirst().root();
            case ParseResult.Malformed malformed -> throw new AssertionError(malformed);
        };
    }
}
