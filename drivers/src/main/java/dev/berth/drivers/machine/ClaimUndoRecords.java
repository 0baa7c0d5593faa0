package dev.berth.drivers.machine;

import dev.berth.model.api.meta.Uid;
import dev.berth.model.file.AtomicFile;
import dev.berth.model.file.PrivateFile;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Undo records of prepared claims: one file per claim, written before the driver changes anything.
public final class ClaimUndoRecords {

    private static final String SUFFIX = ".json";

    private final Path directory;

    public ClaimUndoRecords(Path directory) {
        this.directory = directory;
    }

    public Optional<JsonObject> find(Uid claim) throws IOException {
        return read(file(claim));
    }

    private static Optional<JsonObject> read(Path file) throws IOException {
        byte[] text;
        try {
            text = Files.readAllBytes(file);
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
        return switch (JsonReader.read(text)) {
            case ParseResult.Documents(var documents)
                    when documents.getFirst().root() instanceof JsonObject object ->
                    Optional.of(object);
            case ParseResult.Documents _ ->
                    throw new IOException("%s is not an undo record".formatted(file));
            case ParseResult.Malformed(var message, _, _) ->
                    throw new IOException("cannot read %s: %s".formatted(file, message));
        };
    }

    /// The undo records of all claims.
    public List<JsonObject> all() throws IOException {
        var records = new ArrayList<JsonObject>();
        if (!Files.isDirectory(directory)) {
            return records;
        }
        try (var files = Files.list(directory)) {
            for (var file : files.sorted().toList()) {
                if (file.toString().endsWith(SUFFIX)) {
                    read(file).ifPresent(records::add);
                }
            }
        }
        return records;
    }

    public void put(Uid claim, JsonObject record) throws IOException {
        Files.createDirectories(directory);
        PrivateFile.write(file(claim), JsonWriter.pretty(record));
    }

    public void delete(Uid claim) throws IOException {
        AtomicFile.delete(file(claim));
    }

    private Path file(Uid claim) {
        return directory.resolve(claim.value() + SUFFIX);
    }
}
