package dev.berth.server.store.sqlite;

import static dev.berth.server.store.StoreContract.bytes;
import static dev.berth.server.store.StoreContract.done;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ListResult;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import dev.berth.server.store.StoreContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Stores that end without being closed, simulated by a copy of their files.
class WriteAheadLogTest {

    private static final ObjectKey KEY = new ObjectKey("pods", "n", "p");

    /// A write-ahead log that is full soon.
    private static final SqliteDisk.Limits SHORT =
            new SqliteDisk.Limits(SqliteStore.MAXIMUM_BYTES, 64 << 10);

    @TempDir private Path directory;
    private Path file;
    private Path dead;

    @BeforeEach
    void nameFiles() throws IOException {
        file = directory.resolve(SqliteStore.FILE);
        dead = Files.createDirectory(directory.resolve("dead")).resolve(SqliteStore.FILE);
    }

    @Test
    void closingCheckpointsEverythingAndKeepsTheLog() throws IOException {
        long revision;
        try (var store = SqliteStore.open(file)) {
            revision = done(store.create(KEY, bytes("1"))).revision();
        }
        assertThat(SqliteReader.read(file).revision()).isEqualTo(revision);
        try (var files = Files.list(directory)) {
            assertThat(files.map(each -> each.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "dead",
                            "store.db",
                            "store.db.lock",
                            "store.db-journal",
                            "store.db.log-0",
                            "store.db.log-1");
        }
    }

    @Test
    void changesOnlyInTheLogAreReplayed() throws IOException {
        try (var store = SqliteStore.open(file)) {
            var made = done(store.create(KEY, bytes("1")));
            var other = done(store.create(new ObjectKey("nodes", "", "gone"), bytes("2")));
            done(store.update(KEY, made.revision(), bytes("3")));
            done(store.delete(other.key(), other.revision()));
            crash();

            try (var again = SqliteStore.open(dead)) {
                assertThat(again.revision()).isEqualTo(store.revision());
                assertThat(again.get(KEY).map(StoreContract::text)).contains("3");
                assertThat(again.get(other.key())).isEmpty();
            }
        }
        assertThat(SqliteReader.read(dead).entries())
                .usingRecursiveComparison()
                .isEqualTo(SqliteReader.read(file).entries());
    }

    @Test
    void manyFileSwitchesLoseNothing() {
        var random = new Random(5);
        var expected = new HashMap<ObjectKey, Long>();
        try (var store = SqliteStore.open(file, SHORT)) {
            for (var round = 0; round < 10; round++) {
                for (var i = 0; i < 100; i++) {
                    write(store, random, expected);
                }
                var backup = directory.resolve("backup-" + round);
                store.backup(backup);
                try (var again = SqliteStore.open(backup)) {
                    assertThat(revisions(again)).as("round %d", round).isEqualTo(expected);
                    assertThat(again.revision()).isEqualTo(store.revision());
                }
            }
        }
        try (var again = SqliteStore.open(file)) {
            assertThat(revisions(again)).isEqualTo(expected);
        }
    }

    private static void write(Store store, Random random, Map<ObjectKey, Long> expected) {
        var key = new ObjectKey("pods", "n", "p" + random.nextInt(20));
        var value = new byte[random.nextInt(5_000)];
        random.nextBytes(value);
        var known = expected.get(key);
        if (known == null) {
            expected.put(key, done(store.create(key, value)).revision());
        } else if (random.nextInt(5) == 0) {
            done(store.delete(key, known));
            expected.remove(key);
        } else {
            expected.put(key, done(store.update(key, known, value)).revision());
        }
    }

    @Test
    void aBackupContainsTheLog() throws IOException {
        var backup = directory.resolve("backup.db");
        var ofTheDead = directory.resolve("backup-of-the-dead.db");
        try (var store = SqliteStore.open(file)) {
            done(store.create(KEY, bytes("1")));
            store.backup(backup);
            crash();
            SqliteBackup.write(dead, ofTheDead);

            assertThat(SqliteReader.read(backup).revision()).isEqualTo(store.revision());
            assertThat(SqliteReader.read(backup).entries()).extracting(Entry::key).contains(KEY);
        }
        assertThat(SqliteReader.read(ofTheDead))
                .usingRecursiveComparison()
                .isEqualTo(SqliteReader.read(backup));
        assertThat(WriteAheadLog.files(dead)).allMatch(Files::exists);
    }

    @Test
    void aRestoredStoreIgnoresTheOldLog() throws IOException {
        var backup = directory.resolve("backup.db");
        long revision;
        try (var store = SqliteStore.open(file)) {
            revision = store.revision();
            store.backup(backup);
            done(store.create(KEY, bytes("1")));
            crash();
        }
        var old = SqliteBackup.restore(backup, dead).orElseThrow();

        try (var again = SqliteStore.open(dead)) {
            assertThat(again.get(KEY)).isEmpty();
            assertThat(again.revision()).isEqualTo(revision + SqliteBackup.RESTORE_GAP);
        }
        try (var again = SqliteStore.open(old)) {
            assertThat(again.get(KEY)).isPresent();
        }
    }

    @Test
    void aLogWithoutItsDatabaseIsRefused() throws IOException {
        try (var store = SqliteStore.open(file)) {
            done(store.create(KEY, bytes("1")));
            crash();
        }
        Files.delete(dead);

        assertThatThrownBy(() -> SqliteStore.open(dead).close())
                .hasMessageContaining("store.db is missing, but its log");
    }

    /// A store that has space at first and soon has none.
    @Test
    void writesContinueNearTheMaximumSize() {
        var expected = new HashMap<ObjectKey, Long>();
        var random = new Random(6);
        var limits = new SqliteDisk.Limits(8L * SHORT.log() + 100_000, SHORT.log());
        try (var store = SqliteStore.open(file, limits)) {
            for (var i = 0; i < 300; i++) {
                write(store, random, expected);
            }
        }
        try (var again = SqliteStore.open(file)) {
            assertThat(revisions(again)).isEqualTo(expected);
        }
    }

    private static Map<ObjectKey, Long> revisions(Store store) {
        var page = (ListResult.Page) store.list(CollectionScope.all("pods"), 0, "", 0);
        var revisions = new HashMap<ObjectKey, Long>();
        page.entries().forEach(entry -> revisions.put(entry.key(), entry.revision()));
        return revisions;
    }

    /// Copies the files of the open store as they are now. The log comes first, as in a backup:
    /// changes checkpointed meanwhile are in the database.
    private void crash() throws IOException {
        for (var part : new String[] {".log-0", ".log-1", "", "-journal"}) {
            var from = Path.of(file + part);
            Files.deleteIfExists(Path.of(dead + part));
            if (Files.exists(from)) {
                Files.copy(from, Path.of(dead + part));
            }
        }
    }
}
