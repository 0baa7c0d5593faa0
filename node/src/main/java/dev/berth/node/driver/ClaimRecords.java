package dev.berth.node.driver;

import dev.berth.model.api.Uid;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import dev.berth.node.file.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// What a driver remembers of claims, one file for each, on the disk before anything is done: a
/// driver that is killed at any moment finds out what it may have begun.
final class ClaimRecords {

    private static final String PERMISSIONS = "rw-------";
    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}");

    private final Path directory;

    ClaimRecords(Path directory) {
        this.directory = directory;
    }

    /// What is known of a claim.
    sealed interface Found {

        record Nothing() implements Found {}

        record Known(ClaimRecord record) implements Found {}

        /// There is a file and it says nothing.
        record Broken(Path file, String reason) implements Found {}
    }

    /// False for identifiers that could lead out of the directory.
    static boolean isSafe(Uid uid) {
        return SAFE.matcher(uid.value()).matches();
    }

    Found find(Uid uid) throws IOException {
        return read(file(uid));
    }

    private static Found read(Path file) throws IOException {
        byte[] text;
        try {
            text = Files.readAllBytes(file);
        } catch (NoSuchFileException _) {
            return new Found.Nothing();
        }
        return switch (JsonReader.read(text)) {
            case ParseResult.Malformed(var message, _, _) -> new Found.Broken(file, message);
            case ParseResult.Documents(var documents) ->
                    documents.getFirst().root() instanceof JsonObject tree
                            ? ClaimRecord.read(tree)
                                    .<Found>map(Found.Known::new)
                                    .orElseGet(() ->
                                            new Found.Broken(file, "it is not a record of a claim"))
                            : new Found.Broken(file, "it is not an object");
        };
    }

    void put(ClaimRecord record) throws IOException {
        Files.createDirectories(directory);
        AtomicFile.write(
                file(record.claim().uid()),
                JsonWriter.pretty(record.tree()).getBytes(StandardCharsets.UTF_8),
                PERMISSIONS);
    }

    void delete(Uid uid) throws IOException {
        AtomicFile.delete(file(uid));
    }

    /// All that can be read.
    List<ClaimRecord> all() throws IOException {
        var records = new ArrayList<ClaimRecord>();
        if (!Files.isDirectory(directory)) {
            return records;
        }
        try (var files = Files.list(directory)) {
            for (var file : files.filter(ClaimRecords::isRecord).sorted().toList()) {
                if (read(file) instanceof Found.Known(var record)) {
                    records.add(record);
                }
            }
        }
        return records;
    }

    private static boolean isRecord(Path file) {
        return file.toString().endsWith(".json");
    }

    private Path file(Uid uid) {
        return directory.resolve(uid.value() + ".json");
    }
}
