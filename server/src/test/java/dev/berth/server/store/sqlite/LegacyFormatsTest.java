package dev.berth.server.store.sqlite;

import static dev.berth.server.store.StoreContract.bytes;
import static dev.berth.server.store.StoreContract.done;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.store.Entry;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.StoredKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Stores of formats 1 to 3: revision 2 is in the database, revision 3 in SQLite's WAL, and
/// revision 4 in Berth's write-ahead log.
class LegacyFormatsTest {

    @TempDir private Path directory;
    private Path file;

    @BeforeEach
    void nameFile() {
        file = directory.resolve(SqliteStore.FILE);
    }

    private static ObjectKey key(long revision) {
        return new ObjectKey("pods", "n", "p" + revision);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aStoreIsConvertedAndACopyIsKept(int format) throws Exception {
        createLegacy(format);
        var newest = format == 1 ? 3 : 4;
        for (var life = 0; life < 2; life++) {
            try (var store = SqliteStore.open(file)) {
                for (var revision = 2L; revision <= newest; revision++) {
                    assertThat(store.get(key(revision)).map(Entry::revision)).contains(revision);
                }
                assertThat(store.revision()).isEqualTo(newest + life);
                done(store.create(new ObjectKey("pods", "n", "new" + life), bytes("1")));
            }
        }
        assertThat(SqliteReader.format(file)).isEqualTo(SqliteFile.FORMAT);
        assertThat(Path.of(file + "-wal")).doesNotExist();
        var copy = Path.of(file + ".format-" + format);
        assertThat(LegacyFormats.read(copy).entries()).hasSize(newest - 1);
        assertThat(LegacyFormats.read(copy).revision()).isEqualTo(newest);
    }

    @Test
    void aBackupIsRestored() throws Exception {
        createLegacy(3);
        var place = directory.resolve("restored").resolve(SqliteStore.FILE);
        SqliteBackup.restore(file, place);
        try (var store = SqliteStore.open(place)) {
            assertThat(store.get(key(4))).isPresent();
            assertThat(store.revision()).isEqualTo(4 + SqliteBackup.RESTORE_GAP);
        }
    }

    @Test
    void aDamagedStoreIsRefusedUnchanged() throws Exception {
        createLegacy(3);
        Files.delete(Path.of(file + "-wal"));
        var text = Files.readString(file, ISO_8859_1);
        Files.writeString(file, text.replace("value of 2", "value of 9"), ISO_8859_1);
        var before = Files.readAllBytes(file);

        assertThatThrownBy(() -> SqliteStore.open(file).close())
                .hasMessageContaining("the checksum of the object pods/n/p2 is wrong")
                .hasMessageContaining("berth restore FILE");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    void currentFormatIsNotTreatedAsLegacy() throws Exception {
        SqliteStore.open(file).close();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            statement.execute("PRAGMA user_version = 3");
        }
        assertThatThrownBy(() -> SqliteStore.open(file).close())
                .hasMessageContaining("its tables are not those of its format");
    }

    private void createLegacy(int format) throws SQLException, IOException {
        var former = directory.resolve("former");
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + former);
                var statement = connection.createStatement()) {
            statement.execute("PRAGMA page_size = 4096");
            statement.execute("PRAGMA application_id = " + SqliteFile.APPLICATION);
            statement.execute("PRAGMA user_version = " + format);
            statement.execute(
                    "CREATE TABLE objects (key TEXT NOT NULL PRIMARY KEY, revision INTEGER NOT"
                            + " NULL, checksum INTEGER NOT NULL, value BLOB NOT NULL)");
            statement.execute("CREATE TABLE meta (revision INTEGER NOT NULL)");
            statement.execute("INSERT INTO meta VALUES (1)");
            statement.execute(insertion(2));
            statement.execute("PRAGMA journal_mode = WAL");
            statement.execute("UPDATE meta SET revision = 3");
            statement.execute(insertion(3));
            // Closing would remove SQLite's WAL.
            Files.copy(former, file);
            Files.copy(Path.of(former + "-wal"), Path.of(file + "-wal"));
        }
        if (format > 1) {
            Files.write(WriteAheadLog.files(file).getLast(), logChanges(format));
        }
    }

    private static String value(long revision) {
        return "value of " + revision;
    }

    private static String insertion(long revision) {
        var text = StoredKey.text(key(revision));
        return "INSERT INTO objects VALUES ('%s', %d, %d, CAST('%s' AS BLOB))"
                .formatted(
                        text,
                        revision,
                        SqliteFile.checksum(text, revision, bytes(value(revision))),
                        value(revision));
    }

    private static byte[] logChanges(int format) {
        var key = StoredKey.text(key(4)).getBytes(UTF_8);
        var value = bytes(value(4));
        var changes = ByteBuffer.allocate(100);
        if (format == 3) {
            changes.put((byte) 2).putLong(3);
        }
        changes.put((byte) 0).putInt(key.length).put(key).putInt(value.length).put(value);
        var length = changes.position();
        var frame = ByteBuffer.allocate(20 + length);
        frame.putInt(0xFFB7E1FF).putInt(length).putLong(4).putInt(0);
        frame.put(changes.array(), 0, length);
        var checksum = new CRC32C();
        checksum.update(frame.array(), 4, 12);
        checksum.update(changes.array(), 0, length);
        return frame.putInt(16, (int) checksum.getValue()).array();
    }
}
