package dev.berth.server.store.sqlite;

import dev.berth.server.store.Change;
import dev.berth.server.store.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Content of the files of a store: the database, and the changes in the write-ahead log that it
/// lacks. All files are checked, each on its own and against the others.
///
/// @param meta of the database
/// @param generation the newest in the write-ahead log
/// @param pending the changes that the database lacks
/// @param entries the objects after those changes
record SqliteRecovery(StoreMeta meta, long generation, List<Change> pending, List<Entry> entries) {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteRecovery.class);

    /// Suffixes of files that exist only beside a database.
    private static final List<String> LOGS = List.of(".log-0", ".log-1", "-journal", "-wal");

    /// The newest revision.
    long revision() {
        return pending.isEmpty() ? meta.revision() : pending.getLast().revision();
    }

    /// Reads a store that no other process uses. Creates it if it does not exist, and converts it
    /// if it has an older format.
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
        var log = WriteAheadLogFiles.read(file, meta.store());
        var pending = log.after(meta.revision(), meta.generation());
        return new SqliteRecovery(
                meta, log.generation(), pending, Change.applied(content.entries(), pending));
    }

    private static void requireNoLogs(Path file) {
        for (var suffix : LOGS) {
            var log = Path.of(file + suffix);
            if (Files.exists(log)) {
                throw StoreDamage.of(file, "is missing, but its log %s exists".formatted(log));
            }
        }
    }
}
