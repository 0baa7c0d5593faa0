package dev.berth.server.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.zip.CRC32C;
import org.sqlite.SQLiteConfig;

/// The database in the file: its tables, how it is made, checked, read and written.
///
/// It holds the newest state only. The revision is kept apart from the objects, since the newest
/// change may have been a deletion. Each object has a checksum, since SQLite notices broken pages
/// but not broken content.
final class SqliteFile implements AutoCloseable {

    /// Marks the file as ours: "Bert".
    private static final int APPLICATION = 0x42657274;

    /// Rises with each change of the files. The first had no journal, and in the journal of the
    /// second frames did not tell how far it was synced; a file of an earlier format gets the
    /// newest when it is opened for writing.
    static final int FORMAT = 3;

    private static final int FIRST_FORMAT = 1;

    /// The revision of a store in which nothing has happened.
    static final long FIRST_REVISION = 1;

    /// How long to wait for somebody who reads the file, such as a backup.
    private static final int BUSY_MILLIS = 10_000;

    /// After so many pages the write-ahead log is carried over into the file, so that it stays
    /// small.
    private static final int LOG_PAGES = 4_000;

    private static final int PAGE_BYTES = 4_096;

    private final Connection connection;
    private final PreparedStatement put;
    private final PreparedStatement remove;
    private final PreparedStatement setRevision;

    private SqliteFile(Connection connection) throws SQLException {
        this.connection = connection;
        this.put =
                connection.prepareStatement(
                        "INSERT INTO objects (key, revision, checksum, value) VALUES (?, ?, ?, ?)"
                                + " ON CONFLICT (key) DO UPDATE SET revision = excluded.revision,"
                                + " checksum = excluded.checksum, value = excluded.value");
        this.remove = connection.prepareStatement("DELETE FROM objects WHERE key = ?");
        this.setRevision = connection.prepareStatement("UPDATE meta SET revision = ?");
    }

    /// What is in a file.
    record Content(long revision, List<Entry> entries) {

        /// The content after further changes.
        Content with(List<Change> changes) {
            var objects = new LinkedHashMap<Key, Entry>();
            entries.forEach(entry -> objects.put(entry.key(), entry));
            for (var change : changes) {
                if (change.type() == Change.Type.DELETED) {
                    objects.remove(change.entry().key());
                } else {
                    objects.put(change.entry().key(), change.entry());
                }
            }
            return new Content(changes.getLast().revision(), List.copyOf(objects.values()));
        }
    }

    /// Opens a file that has been checked, for writing.
    static SqliteFile open(Path file, long maximumBytes) throws SQLException {
        return open(file, maximumBytes, SQLiteConfig.JournalMode.WAL);
    }

    /// Opens a file that nobody else uses, for writing. Nothing is left beside it.
    static SqliteFile openAlone(Path file) throws SQLException {
        return open(file, SqliteStore.MAXIMUM_BYTES, SQLiteConfig.JournalMode.DELETE);
    }

    private static SqliteFile open(Path file, long maximumBytes, SQLiteConfig.JournalMode mode)
            throws SQLException {
        var config = config();
        config.setJournalMode(mode);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        var connection = config.createConnection(url(file));
        try {
            try (var statement = connection.createStatement()) {
                // Elsewhere than on Linux, a disk may keep in its cache what was synced.
                statement.execute("PRAGMA fullfsync = 1");
                statement.execute("PRAGMA checkpoint_fullfsync = 1");
                statement.execute("PRAGMA wal_autocheckpoint = " + LOG_PAGES);
                statement.execute("PRAGMA max_page_count = " + maximumBytes / PAGE_BYTES);
                if (number(connection, "PRAGMA user_version") != FORMAT) {
                    statement.execute("PRAGMA user_version = " + FORMAT);
                }
            }
            connection.setAutoCommit(false);
            return new SqliteFile(connection);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /// Makes a file with nothing in it. It appears whole or not at all, so an empty file is always
    /// a damaged one.
    static void create(Path file) throws SQLException, IOException {
        var unfinished = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(unfinished);
        PrivateFiles.create(unfinished);
        try (var connection = config().createConnection(url(unfinished));
                var statement = connection.createStatement()) {
            statement.execute("PRAGMA page_size = " + PAGE_BYTES);
            statement.execute("PRAGMA application_id = " + APPLICATION);
            statement.execute("PRAGMA user_version = " + FORMAT);
            statement.execute(
                    """
                    CREATE TABLE objects (
                        key TEXT NOT NULL PRIMARY KEY,
                        revision INTEGER NOT NULL,
                        checksum INTEGER NOT NULL,
                        value BLOB NOT NULL)
                    """);
            statement.execute("CREATE TABLE meta (revision INTEGER NOT NULL)");
            statement.execute("INSERT INTO meta VALUES (" + FIRST_REVISION + ")");
        }
        PrivateFiles.moveIntoPlace(unfinished, file);
    }

    /// Checks a file and reads all of it. Nothing is changed, whatever is wrong with it.
    static Content read(Path file) {
        var config = config();
        config.setReadOnly(true);
        try (var connection = config.createConnection(url(file))) {
            check(file, connection);
            return content(file, connection);
        } catch (SQLException e) {
            throw damaged(file, String.valueOf(e.getMessage()), e);
        }
    }

    private static void check(Path file, Connection connection) throws SQLException {
        if (number(connection, "PRAGMA application_id") != APPLICATION) {
            throw damaged(file, "it is not a store of Berth");
        }
        var format = number(connection, "PRAGMA user_version");
        if (format < FIRST_FORMAT || format > FORMAT) {
            throw new StoreException(
                    ("%s has format %d, this Berth knows format %d. Nothing was changed. Use the"
                                    + " Berth that wrote it, or restore a backup: berth restore"
                                    + " FILE")
                            .formatted(file, format, FORMAT));
        }
        try (var statement = connection.createStatement();
                var results = statement.executeQuery("PRAGMA quick_check(1)")) {
            if (!results.next() || !"ok".equals(results.getString(1))) {
                throw damaged(file, results.getString(1));
            }
        }
    }

    private static Content content(Path file, Connection connection) throws SQLException {
        // One transaction, so that the revision fits the objects when somebody writes meanwhile.
        connection.setAutoCommit(false);
        var revision = number(connection, "SELECT max(revision) FROM meta");
        var entries = new ArrayList<Entry>();
        try (var statement = connection.createStatement();
                var rows =
                        statement.executeQuery(
                                "SELECT key, revision, checksum, value FROM objects")) {
            while (rows.next()) {
                var key = rows.getString(1);
                var value = rows.getBytes(4);
                if (checksum(key, rows.getLong(2), value) != rows.getLong(3)
                        || rows.getLong(2) > revision) {
                    throw damaged(file, "the object " + key + " is not what was written");
                }
                entries.add(new Entry(StoredKey.parse(key), rows.getLong(2), value));
            }
        }
        if (revision < FIRST_REVISION) {
            throw damaged(file, "it has no revision");
        }
        return new Content(revision, entries);
    }

    private static long number(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement();
                var results = statement.executeQuery(query)) {
            return results.next() ? results.getLong(1) : 0;
        }
    }

    /// Makes changes durable, all or none.
    void write(List<Change> changes) throws SQLException {
        for (var change : lastOfEach(changes)) {
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
        setRevision.setLong(1, changes.getLast().revision());
        setRevision.executeUpdate();
        connection.commit();
    }

    private static Collection<Change> lastOfEach(List<Change> changes) {
        var last = new LinkedHashMap<Key, Change>();
        for (var change : changes) {
            last.put(change.entry().key(), change);
        }
        return last.values();
    }

    /// How large the file is.
    long bytes() throws SQLException {
        var pages = number(connection, "PRAGMA page_count");
        connection.rollback();
        return pages * PAGE_BYTES;
    }

    /// The revision that is in a file, which others may use.
    static long revision(Path file) throws SQLException {
        var config = config();
        config.setReadOnly(true);
        try (var connection = config.createConnection(url(file))) {
            return number(connection, "SELECT max(revision) FROM meta");
        }
    }

    /// The revision that is in the file.
    long revision() throws SQLException {
        var revision = number(connection, "SELECT max(revision) FROM meta");
        connection.rollback();
        return revision;
    }

    /// Sets the revision, so that it is above any that was ever seen.
    void raiseRevision(long revision) throws SQLException {
        setRevision.setLong(1, revision);
        setRevision.executeUpdate();
        connection.commit();
    }

    /// Copies what is in the file now into another one; others may write meanwhile.
    static void copy(Path file, Path target) throws SQLException {
        var config = config();
        config.setReadOnly(true);
        try (var connection = config.createConnection(url(file));
                var statement = connection.prepareStatement("VACUUM INTO ?")) {
            statement.setString(1, target.toAbsolutePath().toString());
            statement.execute();
        }
    }

    private static SQLiteConfig config() {
        var config = new SQLiteConfig();
        config.setBusyTimeout(BUSY_MILLIS);
        return config;
    }

    private static String url(Path file) {
        var path = file.toAbsolutePath().toString();
        if (path.contains("?")) {
            throw new StoreException(
                    "a store cannot be in " + path + ": use a directory without a question mark");
        }
        return "jdbc:sqlite:" + path;
    }

    private static long checksum(String key, long revision, byte[] value) {
        var checksum = new CRC32C();
        checksum.update(key.getBytes(StandardCharsets.UTF_8));
        for (var shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            checksum.update((int) (revision >>> shift));
        }
        checksum.update(value);
        return checksum.getValue();
    }

    static StoreException damaged(Path file, String what) {
        return new StoreException(sentence(file, what));
    }

    private static StoreException damaged(Path file, String what, Throwable cause) {
        return new StoreException(sentence(file, what), cause);
    }

    private static String sentence(Path file, String what) {
        return "%s is damaged: %s. Nothing was changed. Restore a backup: berth restore FILE"
                .formatted(file, what);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
