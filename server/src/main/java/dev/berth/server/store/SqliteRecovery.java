package dev.berth.server.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A store as its files have it: the database, and the changes in the journal that it lacks. All
/// files are checked, each on its own and against the others.
///
/// @param meta of the database
/// @param generation the newest in the journal
/// @param left the changes that the database lacks
/// @param entries the objects after those changes
record SqliteRecovery(StoreMeta meta, long generation, List<Change> left, List<Entry> entries) {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteRecovery.class);

    /// Files beside the database that are never there without it.
    private static final List<String> LOGS = List.of(".log-0", ".log-1", "-journal", "-wal");

    /// The newest revision.
    long revision() {
        return left.isEmpty() ? meta.revision() : left.getLast().revision();
    }

    /// Reads a store that no other process uses. Creates it when there is none, and converts it
    /// when it is of a former format.
    static SqliteRecovery read(Path file) throws IOException, SQLException {
        if (!Files.exists(file)) {
            requireNoLogs(file);
            SqliteFile.create(file);
        }
        var format = SqliteReader.format(file);
        if (format < SqliteFile.FORMAT) {
            var copy = LegacyFormats.convert(file, format);
            LOG.warn(
                    "converted {} from format {} to {}; the former one is kept as {}",
                    file,
                    format,
                    SqliteFile.FORMAT,
                    copy);
        }
        var content = SqliteReader.read(file);
        var meta = content.meta();
        if (meta.generation() == 0 && WriteAheadLogFiles.isUnfinished(file, meta.store())) {
            WriteAheadLog.create(file, meta.store(), meta.revision());
        }
        var journal = WriteAheadLogFiles.read(file, meta.store());
        var left = journal.after(meta.revision(), meta.generation());
        return new SqliteRecovery(
                meta, journal.generation(), left, Change.applied(content.entries(), left));
    }

    private static void requireNoLogs(Path file) {
        for (var suffix : LOGS) {
            var log = Path.of(file + suffix);
            if (Files.exists(log)) {
                throw StoreDamage.of(file, "is missing, but its journal %s exists".formatted(log));
            }
        }
    }
}
