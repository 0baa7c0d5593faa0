package dev.berth.server.store.sqlite;

import dev.berth.model.file.AtomicFile;
import dev.berth.model.file.FileSync;
import dev.berth.server.store.Change;
import dev.berth.server.store.Entry;
import dev.berth.server.store.StoreException;
import dev.berth.server.store.StoredKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.sqlite.SQLiteConfig;

/// Reads and converts stores and backups of formats 1 to 3: databases in SQLite's WAL mode, from
/// format 2 with a write-ahead log of Berth whose files have no header. A store is converted once,
/// and a copy is kept.
final class LegacyFormats {

    static final int FIRST = 1;

    private static final int MARK = 0xFFB7E1FF;
    private static final int HEADER_BYTES = 20;
    private static final byte REMOVE = 1;
    private static final byte SYNCED = 2;

    /// Suffixes of the files of a store, the database last.
    private static final List<String> PARTS = List.of(".log-0", ".log-1", "-wal", "");

    private LegacyFormats() {}

    /// The revision and objects of a store.
    record Content(long revision, List<Entry> entries) {}

    /// A log frame of an old format. Before format 3 a frame was written only after all previous
    /// ones were durable.
    private record Batch(long synced, List<Change> changes) {

        long first() {
            return changes.getFirst().revision();
        }

        long last() {
            return changes.getLast().revision();
        }
    }

    /// Converts a store that no other process uses. May be interrupted at any time: until the new
    /// file replaces the old one, the store is complete in its old format.
    ///
    /// @return the copy of the store in its old format
    static Path convert(Path file, int format) throws IOException, SQLException {
        var content = read(file);
        var copy = Path.of(file + ".format-" + format);
        if (!Files.exists(copy)) {
            keepCopy(file, copy);
        }
        complete(file, content.revision);
        for (var part : WriteAheadLog.files(file)) {
            Files.deleteIfExists(part);
        }
        var unfinished = Path.of(file + ".new");
        SqliteFile.createEmpty(unfinished);
        write(content, unfinished);
        AtomicFile.install(unfinished, file);
        return copy;
    }

    private static void keepCopy(Path file, Path copy) throws IOException {
        for (var part : PARTS) {
            var from = Path.of(file + part);
            if (Files.exists(from) && Files.size(from) > 0) {
                var unfinished = Path.of(copy + ".unfinished");
                Files.copy(
                        from,
                        unfinished,
                        StandardCopyOption.REPLACE_EXISTING,
                        StandardCopyOption.COPY_ATTRIBUTES);
                AtomicFile.install(unfinished, Path.of(copy + part));
            }
        }
    }

    /// Leaves everything in the database of the old format: leaving WAL mode checkpoints SQLite's
    /// log, and the changes of Berth's log are applied.
    private static void complete(Path file, long revision) throws SQLException, IOException {
        var config = SqliteFile.config();
        config.setJournalMode(SQLiteConfig.JournalMode.DELETE);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        try (var connection = config.createConnection(SqliteFile.url(file))) {
            connection.setAutoCommit(false);
            applyChanges(connection, logChanges(file, revision(connection)));
            try (var statement = connection.createStatement()) {
                statement.execute("UPDATE meta SET revision = " + revision);
            }
            connection.commit();
        }
        if (Files.exists(Path.of(file + "-wal"))) {
            // SQLite would apply this log to the new database.
            throw new StoreException(
                    file + " is read by another process, such as a backup. Start Berth after that");
        }
        FileSync.directoryOf(file);
    }

    private static void applyChanges(Connection connection, List<Change> changes)
            throws SQLException {
        try (var put =
                        connection.prepareStatement(
                                "INSERT OR REPLACE INTO objects (key, revision, checksum, value)"
                                        + " VALUES (?, ?, ?, ?)");
                var remove = connection.prepareStatement("DELETE FROM objects WHERE key = ?")) {
            for (var change : changes) {
                var entry = change.entry();
                var key = StoredKey.text(entry.key());
                if (change.type() == Change.Type.DELETED) {
                    remove.setString(1, key);
                    remove.executeUpdate();
                } else {
                    put.setString(1, key);
                    put.setLong(2, entry.revision());
                    put.setLong(3, SqliteFile.checksum(key, entry.revision(), entry.bytes()));
                    put.setBytes(4, entry.bytes());
                    put.executeUpdate();
                }
            }
        }
    }

    /// Writes a store into an empty file, in the current format.
    static void write(Content content, Path empty) throws SQLException {
        SqliteFile.createIn(empty, content.revision);
        if (content.entries.isEmpty()) {
            return;
        }
        var changes = new ArrayList<Change>();
        for (var entry : content.entries) {
            changes.add(new Change(Change.Type.CREATED, entry, Optional.empty()));
        }
        try (var database = SqliteFile.openAlone(empty)) {
            database.stage(changes);
            database.commit(content.revision, 0);
        }
    }

    /// Checks and reads a store with its write-ahead log. Changes nothing.
    static Content read(Path file) throws IOException {
        var config = SqliteFile.config();
        config.setReadOnly(true);
        try (var connection = config.createConnection(SqliteFile.url(file))) {
            SqliteReader.checkStructure(file, connection);
            if (SqliteReader.number(connection, "SELECT count(*) FROM pragma_table_info('meta')")
                    != 1) {
                throw StoreDamage.at(file, 0, "its tables are not those of its format");
            }
            connection.setAutoCommit(false);
            var revision = revision(connection);
            var entries = entries(file, connection, revision);
            var changes = logChanges(file, revision);
            var newest = changes.isEmpty() ? revision : changes.getLast().revision();
            return new Content(newest, Change.applied(entries, changes));
        } catch (SQLException e) {
            throw SqliteReader.unreadable(file, e);
        }
    }

    private static long revision(Connection connection) throws SQLException {
        return SqliteReader.number(connection, "SELECT max(revision) FROM meta");
    }

    private static List<Entry> entries(Path file, Connection connection, long newest)
            throws SQLException {
        var entries = new ArrayList<Entry>();
        try (var statement = connection.createStatement();
                var rows =
                        statement.executeQuery(
                                "SELECT key, revision, checksum, value FROM objects")) {
            while (rows.next()) {
                var key = rows.getString(1);
                var revision = rows.getLong(2);
                var value = rows.getBytes(4);
                if (SqliteFile.checksum(key, revision, value) != rows.getLong(3)
                        || revision > newest) {
                    throw StoreDamage.at(
                            file, 0, "the checksum of the object %s is wrong".formatted(key));
                }
                entries.add(new Entry(StoredKey.parse(key), revision, value));
            }
        }
        return entries;
    }

    /// The changes in the write-ahead log that the database lacks.
    private static List<Change> logChanges(Path store, long revision) throws IOException {
        var batches = new ArrayList<Batch>();
        for (var file : WriteAheadLog.files(store)) {
            if (Files.exists(file)) {
                batches.addAll(batches(ByteBuffer.wrap(Files.readAllBytes(file))));
            }
        }
        batches.removeIf(batch -> batch.last() <= revision);
        batches.sort(Comparator.comparingLong(Batch::first));
        var changes = new ArrayList<Change>();
        var newest = revision;
        for (var batch : batches) {
            if (batch.first() != newest + 1) {
                break;
            }
            changes.addAll(batch.changes);
            newest = batch.last();
        }
        var synced = batches.stream().mapToLong(Batch::synced).max().orElse(newest);
        if (synced > newest) {
            var what = "the write-ahead log lacks the changes after revision " + newest;
            throw StoreDamage.ofLog(
                    WriteAheadLog.files(store).getFirst(), 0, what, store, revision);
        }
        return changes;
    }

    private static List<Batch> batches(ByteBuffer bytes) {
        var batches = new ArrayList<Batch>();
        for (var at = 0; at <= bytes.limit() - HEADER_BYTES; ) {
            var length = bytes.getInt(at + 4);
            if (bytes.getInt(at) != MARK
                    || length <= 0
                    || length > bytes.limit() - at - HEADER_BYTES
                    || bytes.getInt(at + 16) != checksum(bytes.slice(at, HEADER_BYTES + length))) {
                at++;
                continue;
            }
            batches.add(batch(bytes.slice(at, HEADER_BYTES + length)));
            at += HEADER_BYTES + length;
        }
        return batches;
    }

    private static int checksum(ByteBuffer batch) {
        var checksum = new CRC32C();
        checksum.update(batch.slice(4, 12));
        checksum.update(batch.slice(HEADER_BYTES, batch.limit() - HEADER_BYTES));
        return (int) checksum.getValue();
    }

    private static Batch batch(ByteBuffer bytes) {
        var first = bytes.getLong(8);
        var synced = first - 1;
        bytes.position(HEADER_BYTES);
        if (bytes.get(HEADER_BYTES) == SYNCED) {
            bytes.get();
            synced = bytes.getLong();
        }
        var changes = new ArrayList<Change>();
        while (bytes.hasRemaining()) {
            var type = bytes.get() == REMOVE ? Change.Type.DELETED : Change.Type.UPDATED;
            var key = StoredKey.parse(new String(array(bytes), StandardCharsets.UTF_8));
            var entry = new Entry(key, first + changes.size(), array(bytes));
            changes.add(new Change(type, entry, Optional.empty()));
        }
        return new Batch(synced, changes);
    }

    private static byte[] array(ByteBuffer bytes) {
        var array = new byte[bytes.getInt()];
        bytes.get(array);
        return array;
    }
}
