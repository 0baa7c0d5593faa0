package dev.berth.node.oci;

import dev.berth.model.file.AtomicFile;
import dev.berth.model.file.PrivateFile;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import dev.berth.node.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Persistent records, one file each: written before an operation begins, deleted after all of it
/// is undone.
///
/// Only one runtime uses a directory, so records are cached in memory.
final class RecordFiles<R extends DurableRecord> {

    private static final Logger LOG = LoggerFactory.getLogger(RecordFiles.class);
    private static final String ENDING = ".json";

    /// Suffix of files that a killed process left while writing.
    private static final String UNFINISHED = ".tmp";

    private final Path directory;
    private final Map<String, R> cache = new ConcurrentHashMap<>();

    private RecordFiles(Path directory) {
        this.directory = directory;
    }

    /// Reads all records. Unreadable files are skipped and logged.
    static <R extends DurableRecord> RecordFiles<R> open(
            Path directory, Function<JsonObject, R> reader) throws IOException {
        Files.createDirectories(directory);
        var records = new RecordFiles<R>(directory);
        try (var files = Files.list(directory)) {
            for (var file : files.toList()) {
                if (file.toString().endsWith(ENDING)) {
                    read(file, reader).ifPresent(record -> records.cache.put(record.id(), record));
                } else if (file.toString().endsWith(UNFINISHED)) {
                    Files.deleteIfExists(file);
                }
            }
        }
        return records;
    }

    private static <R> Optional<R> read(Path file, Function<JsonObject, R> reader)
            throws IOException {
        try {
            if (JsonReader.read(Files.readAllBytes(file)) instanceof ParseResult.Documents(var all)
                    && all.getFirst().root() instanceof JsonObject tree) {
                return Optional.of(reader.apply(tree));
            }
        } catch (IllegalArgumentException | DateTimeException e) {
            LOG.debug("{}", file, e);
        }
        LOG.warn(
                "{} is damaged and ignored; delete it, and reboot the machine to remove what it"
                        + " describes",
                file);
        return Optional.empty();
    }

    List<R> all() {
        return cache.values().stream().sorted(Comparator.comparing(DurableRecord::id)).toList();
    }

    Optional<R> find(String id) {
        return Optional.ofNullable(cache.get(id));
    }

    void put(R record) throws RuntimeFailure {
        try {
            PrivateFile.write(file(record.id()), JsonWriter.pretty(record.tree()));
        } catch (IOException e) {
            throw new RuntimeFailure(
                    "%s cannot be written: %s".formatted(file(record.id()), e.getMessage()), e);
        }
        cache.put(record.id(), record);
    }

    void delete(String id) throws RuntimeFailure {
        try {
            AtomicFile.delete(file(id));
        } catch (IOException e) {
            throw new RuntimeFailure(
                    "%s cannot be deleted: %s".formatted(file(id), e.getMessage()), e);
        }
        cache.remove(id);
    }

    private Path file(String id) {
        return directory.resolve(id + ENDING);
    }
}
