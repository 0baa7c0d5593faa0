package dev.berth.app.up;

import dev.berth.model.file.AtomicFile;
import dev.berth.model.file.PrivateFile;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The choice `--node local` of an earlier start, kept in the data directory so that a restart does
/// not leave the node without its agent.
///
/// @param name name of the node
/// @param arguments options of the node, as on the command line
record SavedNodeChoice(String name, List<String> arguments) {

    private static final String FILE = "real-node.json";

    SavedNodeChoice {
        arguments = List.copyOf(arguments);
    }

    static Optional<SavedNodeChoice> read(Path directory) {
        var file = directory.resolve(FILE);
        try {
            if (!Files.exists(file)
                    || !(JsonReader.read(Files.readString(file))
                            instanceof ParseResult.Documents(var documents))
                    || !(documents.getFirst().root() instanceof JsonObject tree)) {
                return Optional.empty();
            }
            return Optional.of(new SavedNodeChoice(tree.text("name"), tree.strings("arguments")));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read %s: %s".formatted(file, e.getMessage()), e);
        }
    }

    void write(Path directory) {
        var tree =
                JsonObject.of("name", Json.of(name))
                        .with("arguments", Json.array(arguments.stream().map(Json::of).toList()));
        try {
            PrivateFile.write(directory.resolve(FILE), JsonWriter.pretty(tree));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot write %s: %s".formatted(directory.resolve(FILE), e.getMessage()), e);
        }
    }

    static void forget(Path directory) {
        try {
            AtomicFile.delete(directory.resolve(FILE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
