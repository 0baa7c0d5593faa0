package dev.berth.node.driver;

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
import java.util.regex.Pattern;

/// The claim records of a driver, one file per claim. A record is synced to disk before the driver
/// is called, so a driver that is killed at any moment knows what it may have begun.
final class ClaimRecords {

    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}");

    private final Path directory;

    ClaimRecords(Path directory) {
        this.directory = directory;
    }

    /// Result of looking up a claim's record.
    sealed interface Found {

        record Absent() implements Found {}

        record Present(ClaimRecord record) implements Found {}

        /// A record file exists but cannot be decoded.
        record Unreadable(Path file, String reason) implements Found {}
    }

    /// False for UIDs that could lead out of the directory.
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
            return new Found.Absent();
        }
        return switch (JsonReader.read(text)) {
            case ParseResult.Malformed(var message, _, _) -> new Found.Unreadable(file, message);
            case ParseResult.Documents(var documents) ->
                    documents.getFirst().root() instanceof JsonObject tree
                            ? ClaimRecord.read(tree)
                                    .<Found>map(Found.Present::new)
                                    .orElseGet(
                                            () -> new Found.Unreadable(file, "not a claim record"))
                            : new Found.Unreadable(file, "not a JSON object");
        };
    }

    void put(ClaimRecord record) throws IOException {
        Files.createDirectories(directory);
        PrivateFile.write(file(record.claim().uid()), JsonWriter.pretty(record.tree()));
    }

    void delete(Uid uid) throws IOException {
        AtomicFile.delete(file(uid));
    }

    /// All readable records.
    List<ClaimRecord> all() throws IOException {
        var records = new ArrayList<ClaimRecord>();
        if (!Files.isDirectory(directory)) {
            return records;
        }
        try (var files = Files.list(directory)) {
            for (var file : files.filter(ClaimRecords::isRecord).sorted().toList()) {
                if (read(file) instanceof Found.Present(var record)) {
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
