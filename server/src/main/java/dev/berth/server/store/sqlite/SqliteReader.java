package dev.berth.server.store.sqlite;

import dev.berth.server.store.Entry;
import dev.berth.server.store.StoreException;
import dev.berth.server.store.StoredKey;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// Reads and checks the database: structure of all pages, schema, the checksum of each object, and
/// the number of objects and the sum of their checksums as committed.
final class SqliteReader {

    private static final Pattern PAGE_NUMBER = Pattern.compile("[Pp]age (\\d+)");
    private static final int HEADER_BYTES = 100;
    private static final int PAGE_SIZE_AT = 16;
    private static final int PAGES_AT = 28;
    private static final int FORMAT_AT = 60;
    private static final int APPLICATION_AT = 68;

    /// First byte of a leaf page of a table.
    private static final byte LEAF = 13;

    private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);

    /// Primary result codes of SQLite that do not indicate damage.
    private static final Set<Integer> UNREADABLE =
            Set.of(
                    SQLiteErrorCode.SQLITE_PERM.code,
                    SQLiteErrorCode.SQLITE_BUSY.code,
                    SQLiteErrorCode.SQLITE_LOCKED.code,
                    SQLiteErrorCode.SQLITE_NOMEM.code,
                    SQLiteErrorCode.SQLITE_READONLY.code,
                    SQLiteErrorCode.SQLITE_IOERR.code,
                    SQLiteErrorCode.SQLITE_FULL.code,
                    SQLiteErrorCode.SQLITE_CANTOPEN.code);

    private SqliteReader() {}

    /// The meta row and objects of a database.
    record Content(StoreMeta meta, List<Entry> entries) {

        long revision() {
            return meta.revision();
        }
    }

    /// The meta row, and its stored checksum.
    record StoredMeta(StoreMeta meta, long checksum) {}

    /// Whether a file has the header of a store.
    static boolean isStore(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        byte[] start;
        try (var in = Files.newInputStream(file)) {
            start = in.readNBytes(HEADER_BYTES);
        }
        return start.length == HEADER_BYTES
                && Arrays.equals(start, 0, MAGIC.length, MAGIC, 0, MAGIC.length)
                && ByteBuffer.wrap(start).getInt(APPLICATION_AT) == SqliteFile.APPLICATION;
    }

    /// Format version of a store. Checks the header.
    static int format(Path file) throws IOException {
        var header = header(file);
        if (header.getInt(APPLICATION_AT) != SqliteFile.APPLICATION) {
            throw StoreDamage.at(file, APPLICATION_AT, "it is not a store of Berth");
        }
        var format = header.getInt(FORMAT_AT);
        if (format < LegacyFormats.FIRST || format > SqliteFile.FORMAT) {
            throw new StoreException(
                    ("%s has format %d, this version of Berth supports format %d. Use the version"
                                    + " that wrote it, or restore a backup: berth restore FILE")
                            .formatted(file, format, SqliteFile.FORMAT));
        }
        return format;
    }

    private static ByteBuffer header(Path file) throws IOException {
        var header = ByteBuffer.allocate(HEADER_BYTES);
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            while (header.hasRemaining() && channel.read(header) >= 0) {
                // A read may be short.
            }
        }
        if (header.hasRemaining()) {
            var at = header.position();
            throw StoreDamage.at(file, at, at == 0 ? "it is empty" : "it is cut off in its header");
        }
        header.flip();
        for (var i = 0; i < MAGIC.length; i++) {
            if (header.get(i) != MAGIC[i]) {
                throw StoreDamage.at(file, i, "it is not a SQLite database");
            }
        }
        if (header.getShort(PAGE_SIZE_AT) != SqliteFile.PAGE_BYTES) {
            throw StoreDamage.at(file, PAGE_SIZE_AT, "the page size is wrong");
        }
        return header;
    }

    /// Checks a store of the current format and reads all of it. Changes the file only to roll back
    /// an interrupted transaction.
    static Content read(Path file) throws IOException {
        var entries = new ArrayList<Entry>();
        var meta = read(file, entries::add);
        return new Content(meta, entries);
    }

    /// Checks a store like [#read].
    static void check(Path file) throws IOException {
        read(file, _ -> {});
    }

    private static StoreMeta read(Path file, Consumer<Entry> entries) throws IOException {
        try {
            rollBack(file);
            checkLength(file);
            var config = SqliteFile.config();
            config.setReadOnly(true);
            try (var connection = config.createConnection(SqliteFile.url(file))) {
                checkStructure(file, connection);
                checkSchema(file, connection);
                return content(file, connection, entries);
            }
        } catch (SQLException e) {
            throw unreadable(file, e);
        }
    }

    /// Error for a database that SQLite cannot read: damage, unless the cause is the disk or
    /// another process.
    static StoreException unreadable(Path file, SQLException e) {
        var isDamaged =
                !(e instanceof SQLiteException sqlite)
                        || !UNREADABLE.contains(sqlite.getResultCode().code & 0xFF);
        return isDamaged
                ? StoreDamage.at(file, 0, "SQLite cannot read it, " + e.getMessage(), e)
                : new StoreException(
                        "%s cannot be read: %s. Check the disk, the permissions of the file, and"
                                        .formatted(file, e.getMessage())
                                + " whether another process uses it",
                        e);
    }

    /// Lets SQLite roll back an interrupted transaction, which a read-only connection cannot.
    private static void rollBack(Path file) throws SQLException, IOException {
        var journal = Path.of(file + SqliteFile.ROLLBACK_JOURNAL);
        if (Files.exists(journal) && Files.size(journal) > 0) {
            try (var connection = SqliteFile.config().createConnection(SqliteFile.url(file))) {
                number(connection, "SELECT count(*) FROM sqlite_schema");
            }
        }
    }

    private static void checkLength(Path file) throws IOException {
        var expected = (header(file).getInt(PAGES_AT) & 0xFFFF_FFFFL) * SqliteFile.PAGE_BYTES;
        var length = Files.size(file);
        if (length < expected) {
            throw StoreDamage.at(
                    file, length, "it is cut off, %d bytes are expected".formatted(expected));
        }
    }

    static void checkStructure(Path file, Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var results = statement.executeQuery("PRAGMA integrity_check(1)")) {
            var result = results.next() ? results.getString(1) : "no result";
            if (!"ok".equals(result)) {
                throw StoreDamage.at(file, offset(result), result);
            }
        }
    }

    /// Offset of the page that SQLite names; 0 if it names none.
    private static long offset(String result) {
        var page = PAGE_NUMBER.matcher(result);
        return page.find() ? (Long.parseLong(page.group(1)) - 1) * SqliteFile.PAGE_BYTES : 0;
    }

    private static void checkSchema(Path file, Connection connection) throws SQLException {
        var schema = new ArrayList<String>();
        try (var statement = connection.createStatement();
                var rows =
                        statement.executeQuery(
                                "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"
                                        + " ORDER BY rowid")) {
            while (rows.next()) {
                schema.add(rows.getString(1));
            }
        }
        if (!schema.equals(SqliteFile.SCHEMA)) {
            throw StoreDamage.at(file, HEADER_BYTES, "its tables are not those of a store");
        }
    }

    private static StoreMeta content(Path file, Connection connection, Consumer<Entry> entries)
            throws SQLException, IOException {
        // One transaction, so that the meta row matches the objects.
        connection.setAutoCommit(false);
        var stored = meta(connection);
        var meta = stored.meta;
        if (meta.checksum() != stored.checksum) {
            throw StoreDamage.at(
                    file, SqliteFile.PAGE_BYTES, "the checksum of the meta row is wrong");
        }
        var objects = 0L;
        var total = 0L;
        try (var statement = connection.createStatement();
                var rows =
                        statement.executeQuery(
                                "SELECT key, revision, checksum, value FROM objects")) {
            while (rows.next()) {
                var key = rows.getString(1);
                var revision = rows.getLong(2);
                var value = rows.getBytes(4);
                if (SqliteFile.checksum(key, revision, value) != rows.getLong(3)) {
                    throw StoreDamage.at(
                            file,
                            pageOf(file, key),
                            "the checksum of the object %s is wrong".formatted(key));
                }
                objects++;
                total += rows.getLong(3);
                entries.accept(new Entry(StoredKey.parse(key), revision, value));
            }
        }
        if (objects != meta.objects() || total != meta.total()) {
            throw StoreDamage.at(
                    file,
                    SqliteFile.PAGE_BYTES,
                    "objects are missing or outdated: it has %d, with checksums that add up to %d;"
                                    .formatted(objects, total)
                            + " %d and %d are expected".formatted(meta.objects(), meta.total()));
        }
        return meta;
    }

    static StoredMeta meta(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row =
                        statement.executeQuery(
                                "SELECT store, revision, generation, objects, total, checksum FROM"
                                        + " meta")) {
            if (!row.next()) {
                throw new SQLException("the meta row is missing");
            }
            var meta =
                    new StoreMeta(
                            UUID.fromString(row.getString(1)),
                            row.getLong(2),
                            row.getLong(3),
                            row.getLong(4),
                            row.getLong(5));
            return new StoredMeta(meta, row.getLong(6));
        } catch (IllegalArgumentException e) {
            throw new SQLException("the identity of the store cannot be read", e);
        }
    }

    /// The meta row of a database that other processes may use.
    static StoreMeta meta(Path file) throws SQLException {
        try (var connection = SqliteFile.config().createConnection(SqliteFile.url(file))) {
            return meta(connection).meta;
        }
    }

    static long number(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement();
                var results = statement.executeQuery(query)) {
            return results.next() ? results.getLong(1) : 0;
        }
    }

    /// Offset of the first leaf page that contains the key; 0 if none does.
    private static long pageOf(Path file, String key) throws IOException {
        var text = new String(key.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        try (var input = new BufferedInputStream(Files.newInputStream(file))) {
            for (var offset = 0L; ; offset += SqliteFile.PAGE_BYTES) {
                var page = input.readNBytes(SqliteFile.PAGE_BYTES);
                if (page.length == 0) {
                    return 0;
                }
                if (page[0] == LEAF
                        && new String(page, StandardCharsets.ISO_8859_1).contains(text)) {
                    return offset;
                }
            }
        }
    }
}
