package dev.berth.server.store.sqlite;

import static dev.berth.server.store.StoreContract.bytes;
import static dev.berth.server.store.StoreContract.done;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.ListResult;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.StoreContract;
import dev.berth.server.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Properties of a store in a file beyond the contract.
class SqliteFileTest {

    private static final ObjectKey KEY = new ObjectKey("pods", "n", "p");

    @TempDir private Path directory;
    private Path data;
    private Path file;

    @BeforeEach
    void nameFile() {
        data = directory.resolve("data");
        file = data.resolve(SqliteStore.FILE);
    }

    @Test
    void objectsSurviveReopening() {
        var made = filled(100);
        try (var store = SqliteStore.open(file)) {
            var page = (ListResult.Page) store.list(CollectionScope.all("pods"), 0, "", 0);

            assertThat(page.entries()).hasSize(100);
            assertThat(store.revision()).isEqualTo(made);
            assertThat(store.get(new ObjectKey("pods", "n", "p7")).map(StoreContract::text))
                    .hasValueSatisfying(text -> assertThat(text).startsWith("7 "));
        }
    }

    @Test
    void aDeletionKeepsItsRevision() {
        long newest;
        try (var store = SqliteStore.open(file)) {
            var made = done(store.create(KEY, bytes("1")));
            newest = done(store.delete(KEY, made.revision())).revision();
        }
        try (var store = SqliteStore.open(file)) {
            assertThat(store.revision()).isEqualTo(newest);
            assertThat(done(store.create(KEY, bytes("2"))).revision()).isEqualTo(newest + 1);
        }
    }

    @Test
    void onlyTheOwnerMayRead() throws IOException {
        try (var store = SqliteStore.open(file)) {
            done(store.create(KEY, bytes("1")));

            assertThat(permissions(data)).isEqualTo("rwx------");
            try (var files = Files.list(data)) {
                assertThat(files).allMatch(each -> permissions(each).equals("rw-------"));
            }
        }
    }

    @Test
    void aStoreInUseIsRefused() {
        try (var store = SqliteStore.open(file)) {
            refused("in use by another Berth");
            assertThatThrownBy(() -> SqliteBackup.restore(file, file))
                    .hasMessageContaining("in use by another Berth");
            done(store.create(KEY, bytes("1")));
        }
        SqliteStore.open(file).close();
    }

    @Test
    void garbageIsRefused() throws IOException {
        Files.createDirectories(data);
        Files.writeString(file, "this is not a database, but it is long enough ".repeat(200));

        refusedUnchanged("is damaged", "berth restore FILE");
    }

    @Test
    void anEmptyFileIsRefused() throws IOException {
        Files.createDirectories(data);
        Files.createFile(file);

        refusedUnchanged("it is empty", "berth restore FILE");
    }

    @Test
    void aTruncatedFileIsRefused() throws IOException {
        filled(200);
        var whole = Files.readAllBytes(file);
        for (var part : new int[] {2, 3, 10, 100}) {
            Files.write(file, Arrays.copyOf(whole, whole.length - whole.length / part));

            refusedUnchanged("is damaged", "berth restore FILE");
        }
    }

    @Test
    void anObjectWithAWrongChecksumIsRefused() throws IOException {
        filled(200);
        var content = Files.readString(file, ISO_8859_1);
        var flipped = content.replace("x".repeat(900), "x".repeat(899) + "y");
        Files.writeString(file, flipped, ISO_8859_1);

        refusedUnchanged("the checksum of the object pods/n/p", "at offset", "berth restore FILE");
    }

    @Test
    void anotherDatabaseIsRefused() throws IOException, SQLException {
        Files.createDirectories(data);
        execute("CREATE TABLE other (a)");

        refusedUnchanged("not a store of Berth", "berth restore FILE");
    }

    @Test
    void anotherFormatIsRefused() throws IOException, SQLException {
        filled(1);
        execute("PRAGMA user_version = 99");

        refusedUnchanged(
                "has format 99, this version of Berth supports format 4", "berth restore FILE");
    }

    @Test
    void aLogWithoutItsFileIsRefused() throws IOException {
        Files.createDirectories(data);
        Files.writeString(Path.of(file + "-wal"), "log");

        refused("is missing, but its log", "berth restore FILE");
        assertThat(file).doesNotExist();
    }

    @Test
    void readsContinueAtTheMaximumSize() {
        var large = new byte[40_000];
        try (var store = SqliteStore.open(file, 1_000_000)) {
            var made = done(store.create(KEY, bytes("1")));
            assertThatThrownBy(
                            () -> {
                                for (var i = 0; i < 100; i++) {
                                    store.create(new ObjectKey("pods", "n", "large" + i), large);
                                }
                            })
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("disk is full")
                    .hasMessageContaining("reads continue");
            var full = store.revision();

            assertThat(store.get(KEY)).contains(made);
            var first = store.get(new ObjectKey("pods", "n", "large0")).orElseThrow();
            assertThat(done(store.delete(first.key(), first.revision())).revision())
                    .isEqualTo(full + 1);
            done(store.update(KEY, made.revision(), bytes("2")));
        }
        try (var store = SqliteStore.open(file)) {
            assertThat(store.get(KEY).map(StoreContract::text)).contains("2");
        }
    }

    @Test
    void aBackupIsConsistentDuringWrites() throws Exception {
        var backup = directory.resolve("backup.db");
        filled(500);
        try (var store = SqliteStore.open(file);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var before = store.revision();
            var writing =
                    threads.submit(() -> {
                        for (var i = 0; i < 200; i++) {
                            done(store.create(new ObjectKey("new", "n", "" + i), bytes("x")));
                        }
                    });
            store.backup(backup);
            writing.get();
            var content = SqliteReader.read(backup);

            // Each write created one object, so a consistent backup has as many as its revision.
            assertThat(content.revision()).isBetween(before, store.revision());
            assertThat(content.entries())
                    .hasSize(500 + Math.toIntExact(content.revision() - before));
            assertThat(permissions(backup)).isEqualTo("rw-------");
            assertThatThrownBy(() -> store.backup(backup)).hasMessageContaining("exists already");
        }
    }

    @Test
    void aBackupIsRestoredAndTheOldFileKept() throws IOException {
        var backup = directory.resolve("backup.db");
        var revision = filled(10);
        SqliteBackup.write(file, backup);
        Files.writeString(file, "damaged");

        var old = SqliteBackup.restore(backup, file);

        assertThat(old).hasValueSatisfying(path -> assertThat(path).hasContent("damaged"));
        assertThat(permissions(file)).isEqualTo("rw-------");
        try (var store = SqliteStore.open(file)) {
            assertThat(store.revision()).isEqualTo(revision + SqliteBackup.RESTORE_GAP);
            assertThat(store.get(new ObjectKey("pods", "n", "p9"))).isPresent();
        }
        assertThat(SqliteBackup.restore(backup, directory.resolve("elsewhere.db"))).isEmpty();
    }

    @Test
    void aDamagedBackupIsNotRestored() throws IOException {
        filled(10);
        var whole = Files.readAllBytes(file);
        var backup = Files.writeString(directory.resolve("backup.db"), "no backup");

        assertThatThrownBy(() -> SqliteBackup.restore(backup, file))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("backup.db is not a backup of Berth; nothing was changed");
        assertThat(Files.readAllBytes(file)).isEqualTo(whole);
    }

    @Test
    void writesAfterClosingAreRefused() {
        var store = SqliteStore.open(file);
        store.close();

        assertThatThrownBy(() -> store.create(KEY, bytes("1")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("closed");
    }

    private long filled(int objects) {
        try (var store = SqliteStore.open(file)) {
            for (var i = 0; i < objects; i++) {
                var value = bytes(i + " " + "x".repeat(1_000));
                done(store.create(new ObjectKey("pods", "n", "p" + i), value));
            }
            return store.revision();
        }
    }

    private void refusedUnchanged(String... words) throws IOException {
        var before = Files.readAllBytes(file);
        refused(words);
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    private void refused(String... words) {
        assertThatThrownBy(() -> SqliteStore.open(file).close())
                .isInstanceOf(StoreException.class)
                .message()
                .contains(Stream.of(words).toList())
                .contains(file.toString());
    }

    private void execute(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String permissions(Path path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
