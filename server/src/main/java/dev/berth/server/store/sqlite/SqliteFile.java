package dev.berth.server.store.sqlite;

import dev.berth.model.file.AtomicFile;
import dev.berth.model.file.PrivateFile;
import dev.berth.server.store.Change;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.StoreException;
import dev.berth.server.store.StoredKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.sqlite.SQLiteConfig;

/// The SQLite database of a store: schema, creation and writes. [SqliteReader] reads and checks it.
///
/// It holds the newest state only. Each object has a checksum. Triggers maintain the number of
/// objects and the sum of their checksums.
///
/// Transactions use SQLite's rollback journal, `store.db-journal`, which is empty between them.
/// SQLite's WAL mode would add a file whose loss cannot be detected.
final class SqliteFile implements AutoCloseable {

    /// SQLite application ID: "Bert".
    static final int APPLICATION = 0x42657274;

    /// Format version of the files. [LegacyFormats] converts earlier ones.
    static final int FORMAT = 4;

    /// Revision of a new store.
    static final long FIRST_REVISION = 1;

    static final int PAGE_BYTES = 4_096;

    /// Suffix of SQLite's rollback journal.
    static final String ROLLBACK_JOURNAL = "-journal";

    static final List<String> SCHEMA =
            List.of(
                    "CREATE TABLE objects (key TEXT NOT NULL PRIMARY KEY, revision INTEGER NOT"
                            + " NULL, checksum INTEGER NOT NULL, value BLOB NOT NULL)",
                    "CREATE TABLE meta (store TEXT NOT NULL, revision INTEGER NOT NULL, generation"
                            + " INTEGER NOT NULL, objects INTEGER NOT NULL, total INTEGER NOT NULL,"
                            + " checksum INTEGER NOT NULL)",
                    "CREATE TRIGGER inserted AFTER INSERT ON objects BEGIN UPDATE meta SET"
                            + " objects = objects + 1, total = total + new.checksum; END",
                    "CREATE TRIGGER updated AFTER UPDATE ON objects BEGIN UPDATE meta SET"
                            + " total = total + new.checksum - old.checksum; END",
                    "CREATE TRIGGER deleted AFTER DELETE ON objects BEGIN UPDATE meta SET"
                            + " objects = objects - 1, total = total - old.checksum; END");

    /// Timeout for a lock held by a reader, such as a backup.
    private static final int BUSY_MILLIS = 60_000;

    private final Connection connection;
    private final PreparedStatement put;
    private final PreparedStatement remove;
    private final PreparedStatement setMeta;

    private SqliteFile(Connection connection) throws SQLException {
        this.connection = connection;
        this.put =
                connection.prepareStatement(
                        "INSERT INTO objects (key, revision, checksum, value) VALUES (?, ?, ?, ?)"
                                + " ON CONFLICT (key) DO UPDATE SET revision = excluded.revision,"
                                + " checksum = excluded.checksum, value = excluded.value");
        this.remove = connection.prepareStatement("DELETE FROM objects WHERE key = ?");
        this.setMeta =
                connection.prepareStatement(
                        "UPDATE meta SET store = ?, revision = ?, generation = ?, checksum = ?");
    }

    /// Opens a checked file for writing.
    static SqliteFile open(Path file, long maximumBytes) throws SQLException {
        return open(file, maximumBytes, SQLiteConfig.JournalMode.TRUNCATE);
    }

    /// Opens a file that no other process uses, for writing. No rollback journal is left beside it.
    static SqliteFile openAlone(Path file) throws SQLException {
        return open(file, SqliteStore.MAXIMUM_BYTES, SQLiteConfig.JournalMode.DELETE);
    }

    private static SqliteFile open(Path file, long maximumBytes, SQLiteConfig.JournalMode mode)
            throws SQLException {
        var config = config();
        config.setJournalMode(mode);
        var connection = config.createConnection(url(file));
        try {
            try (var statement = connection.createStatement()) {
                // Also syncs the directory when a rollback journal is removed.
                statement.execute("PRAGMA synchronous = EXTRA");
                // On macOS, a disk may keep synced data in its cache.
                statement.execute("PRAGMA fullfsync = 1");
                statement.execute("PRAGMA max_page_count = " + maximumBytes / PAGE_BYTES);
            }
            connection.setAutoCommit(false);
            return new SqliteFile(connection);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /// Creates a store without objects. The file appears complete or not at all, so an empty file
    /// is always damage.
    static void create(Path file) throws SQLException, IOException {
        var unfinished = file.resolveSibling(file.getFileName() + ".new");
        createEmpty(unfinished);
        createIn(unfinished, FIRST_REVISION);
        AtomicFile.install(unfinished, file);
    }

    /// Creates an empty file for a database in place of one whose creation was interrupted. Removes
    /// the old rollback journal, which SQLite would apply to the new file.
    static void createEmpty(Path file) throws IOException {
        Files.deleteIfExists(Path.of(file + ROLLBACK_JOURNAL));
        Files.deleteIfExists(file);
        PrivateFile.create(file);
    }

    /// Creates the schema of an empty store in an empty file.
    static void createIn(Path empty, long revision) throws SQLException {
        var meta = new StoreMeta(UUID.randomUUID(), revision, 0, 0, 0);
        // An interrupted creation starts over, and the finished file is synced before use.
        var config = config();
        config.setJournalMode(SQLiteConfig.JournalMode.MEMORY);
        config.setSynchronous(SQLiteConfig.SynchronousMode.OFF);
        try (var connection = config.createConnection(url(empty));
                var statement = connection.createStatement()) {
            statement.execute("PRAGMA page_size = " + PAGE_BYTES);
            statement.execute("PRAGMA application_id = " + APPLICATION);
            statement.execute("PRAGMA user_version = " + FORMAT);
            for (var sql : SCHEMA) {
                statement.execute(sql);
            }
            statement.execute(
                    "INSERT INTO meta VALUES ('%s', %d, 0, 0, 0, %d)"
                            .formatted(meta.store(), revision, meta.checksum()));
        }
    }

    /// Commits changes durably in one transaction.
    ///
    /// @param generation newest generation of the write-ahead log that the database then contains
    ///   completely
    void write(List<Change> changes, long generation) throws SQLException {
        stage(changes);
        commit(changes.getLast().revision(), generation);
    }

    /// Executes changes in the open transaction.
    void stage(Collection<Change> changes) throws SQLException {
        for (var change : lastPerObject(changes)) {
            var entry = change.entry();
            var key = StoredKey.text(entry.key());
            if (change.type() == Change.Type.DELETED) {
                remove.setString(1, key);
                remove.executeUpdate();
            } else {
                put.setString(1, key);
                put.setLong(2, entry.revision());
                put.setLong(3, checksum(key, entry.revision(), entry.bytes()));
                put.setBytes(4, entry.bytes());
                put.executeUpdate();
            }
        }
    }

    private static Collection<Change> lastPerObject(Collection<Change> changes) {
        var last = new LinkedHashMap<ObjectKey, Change>();
        for (var change : changes) {
            last.put(change.entry().key(), change);
        }
        return last.values();
    }

    private StoreMeta meta() throws SQLException {
        return SqliteReader.meta(connection).meta();
    }

    /// Commits staged changes.
    void commit(long revision, long generation) throws SQLException {
        commit(meta().with(revision, generation));
    }

    private void commit(StoreMeta meta) throws SQLException {
        setMeta.setString(1, meta.store().toString());
        setMeta.setLong(2, meta.revision());
        setMeta.setLong(3, meta.generation());
        setMeta.setLong(4, meta.checksum());
        setMeta.executeUpdate();
        connection.commit();
    }

    /// Records that a write-ahead log exists.
    void setGeneration(long generation) throws SQLException {
        commit(meta().revision(), generation);
    }

    /// Assigns a new store ID.
    ///
    /// @param revision of the new store
    void assignNewId(long revision) throws SQLException {
        commit(meta().ofStore(UUID.randomUUID()).with(revision, 0));
    }

    /// Size of the file.
    long bytes() throws SQLException {
        var pages = SqliteReader.number(connection, "PRAGMA page_count");
        connection.rollback();
        return pages * PAGE_BYTES;
    }

    /// Newest revision in the database.
    long revision() throws SQLException {
        var revision = meta().revision();
        connection.rollback();
        return revision;
    }

    /// Copies the database into an empty file, as of one moment. Others may write at the same time.
    static void copy(Path file, Path target) throws SQLException {
        try (var connection = config().createConnection(url(file));
                var statement = connection.prepareStatement("VACUUM INTO ?")) {
            statement.setString(1, target.toAbsolutePath().toString());
            statement.execute();
        }
    }

    static SQLiteConfig config() {
        var config = new SQLiteConfig();
        config.setBusyTimeout(BUSY_MILLIS);
        return config;
    }

    static String url(Path file) {
        var path = file.toAbsolutePath().toString();
        if (path.contains("?")) {
            throw new StoreException(
                    "a store cannot be in " + path + ": use a directory without a question mark");
        }
        return "jdbc:sqlite:" + path;
    }

    /// Checksum of an object: CRC-32C of key, revision and value.
    static long checksum(String key, long revision, byte[] value) {
        var checksum = new CRC32C();
        checksum.update(key.getBytes(StandardCharsets.UTF_8));
        for (var shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            checksum.update((int) (revision >>> shift));
        }
        checksum.update(value);
        return checksum.getValue();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
