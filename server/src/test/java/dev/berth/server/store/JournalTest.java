package dev.berth.server.store;

import static dev.berth.server.store.StoreContract.bytes;
import static dev.berth.server.store.StoreContract.done;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is only in the journal when a store ends without being closed. The end is played by a copy
/// of the files at that moment.
class JournalTest {

    private static final Key KEY = new Key("pods", "n", "p");

    /// A journal that is full soon.
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
    void aClosedStoreIsOneFile() throws IOException {
        try (var store = SqliteStore.open(file)) {
            done(store.create(KEY, bytes("1")));
            assertThat(Journal.files(file)).allMatch(Files::exists);
        }
        try (var files = Files.list(directory)) {
            assertThat(files.map(each -> each.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "dead", SqliteStore.FILE, SqliteStore.FILE + ".lock");
        }
    }

    @Test
    void whatOnlyTheJournalHasComesBack() throws IOException {
        try (var store = SqliteStore.open(file)) {
            var made = done(store.create(KEY, bytes("1")));
            var other = done(store.create(new Key("nodes", "", "gone"), bytes("2")));
            done(store.update(KEY, made.revision(), bytes("3")));
            done(store.delete(other.key(), other.revision()));
            die();

            try (var again = SqliteStore.open(dead)) {
                assertThat(again.revision()).isEqualTo(store.revision());
                assertThat(again.get(KEY).map(StoreContract::text)).contains("3");
                assertThat(again.get(other.key())).isEmpty();
            }
        }
        assertThat(SqliteFile.read(dead))
                .usingRecursiveComparison()
                .isEqualTo(SqliteFile.read(file));
    }

    @Test
    void manyTurnsLoseNothing() {
        var random = new Random(5);
        var expected = new HashMap<Key, Long>();
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

    private static void write(Store store, Random random, Map<Key, Long> expected) {
        var key = new Key("pods", "n", "p" + random.nextInt(20));
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
    void aLastWriteThatWasCutOffIsLeftOut() throws IOException {
        long before;
        long written;
        try (var store = SqliteStore.open(file)) {
            for (var i = 0; i < 5; i++) {
                done(store.create(new Key("pods", "n", "p" + i), bytes("x".repeat(100))));
            }
            before = store.revision();
            written = Files.size(Journal.files(file).getFirst());
            done(store.create(KEY, bytes("last")));
            die();
        }
        var log = Journal.files(dead).getFirst();
        var whole = Files.readAllBytes(log);
        for (var length = Math.toIntExact(written); length < whole.length; length++) {
            Files.write(log, Arrays.copyOf(whole, length));
            assertThat(Journal.read(dead, SqliteFile.FIRST_REVISION)).hasSize(5);
            // As when the file was longer already.
            Files.write(log, Arrays.copyOf(Arrays.copyOf(whole, length), whole.length + 100));
            assertThat(Journal.read(dead, SqliteFile.FIRST_REVISION)).hasSize(5);
        }
        try (var again = SqliteStore.open(dead)) {
            assertThat(again.revision()).isEqualTo(before);
            assertThat(done(again.create(KEY, bytes("again"))).revision()).isEqualTo(before + 1);
        }
    }

    @Test
    void damageOfWhatWasDurableIsRefused() throws IOException {
        try (var store = SqliteStore.open(file)) {
            for (var i = 0; i < 5; i++) {
                var key = new Key("pods", "n", "p" + i);
                store.secure(done(store.create(key, bytes("x".repeat(100)))).revision());
            }
            die();
        }
        var log = Journal.files(dead).getFirst();
        var whole = Files.readAllBytes(log);
        for (var at = 0; at < whole.length / 5 * 4; at += 7) {
            var flipped = whole.clone();
            flipped[at] ^= 1;
            Files.write(log, flipped);
            assertThatThrownBy(() -> SqliteStore.open(dead).close())
                    .as("flipped at %d", at)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("is damaged: its journal")
                    .hasMessageContaining("berth restore FILE");
            assertThat(Files.readAllBytes(log)).isEqualTo(flipped);
        }
    }

    /// As when the machine fails after one page of a file was written, and not the one before.
    @Test
    void whatWasNotSyncedEndsWhereSomethingIsLost() throws IOException {
        var frames = new ArrayList<Frame>();
        for (var i = 0; i < 5; i++) {
            frames.add(frame(SqliteFile.FIRST_REVISION + 1, SqliteFile.FIRST_REVISION + 1 + i));
        }
        for (var lost = 1; lost < frames.size(); lost++) {
            write(dead, frames, lost);
            assertThat(Journal.read(dead, SqliteFile.FIRST_REVISION)).hasSize(lost);
        }
        write(dead, frames, 0);
        assertThatThrownBy(() -> Journal.read(dead, SqliteFile.FIRST_REVISION))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("lacks what came after revision");
    }

    @Test
    void aLaterFrameTellsThatSomethingWasSynced() throws IOException {
        var first = SqliteFile.FIRST_REVISION + 1;
        write(dead, List.of(frame(0, first), frame(0, first + 1), frame(first, first + 2)), 0);
        assertThatThrownBy(() -> Journal.read(dead, SqliteFile.FIRST_REVISION))
                .hasMessageContaining("lacks what came after revision");
    }

    /// What was given up stays so, though new changes have the same revisions.
    @Test
    void nothingComesBackFromBehindWhatWasLost() throws IOException {
        SqliteStore.open(file).close();
        var first = SqliteFile.FIRST_REVISION + 1;
        write(file, List.of(frame(0, first), frame(0, first + 1), frame(0, first + 2)), 1);
        var others = new ArrayList<Entry>();
        try (var store = SqliteStore.open(file)) {
            assertThat(store.revision()).isEqualTo(first);
            for (var i = 0; i < 3; i++) {
                others.add(done(store.create(new Key("pods", "n", "other" + i), bytes("2"))));
                store.secure(store.revision());
            }
            die();
        }
        try (var again = SqliteStore.open(dead)) {
            assertThat(again.revision()).isEqualTo(first + 3);
            assertThat(revisions(again)).hasSize(4).containsEntry(KEY, first);
            for (var other : others) {
                assertThat(revisions(again)).containsEntry(other.key(), other.revision());
            }
        }
    }

    private static Frame frame(long synced, long revision) {
        var entry = new Entry(KEY, revision, bytes("x".repeat(100)));
        return new Frame(synced, List.of(new Change(Change.Type.CREATED, entry, Optional.empty())));
    }

    /// @param lost the number of a frame that is not as it was written
    private static void write(Path store, List<Frame> frames, int lost) throws IOException {
        var log = Journal.files(store).getFirst();
        try (var journal = Journal.open(store, Journal.PART_BYTES)) {
            for (var frame : frames) {
                journal.append(frame);
            }
        }
        var bytes = Files.readAllBytes(log);
        bytes[bytes.length / frames.size() * lost + 50] ^= 1;
        Files.write(log, bytes);
    }

    /// A journal whose frames do not tell how far it was synced.
    @Test
    void aJournalOfAnEarlierVersionIsRead() throws IOException {
        var key = StoredKey.text(KEY).getBytes(UTF_8);
        var changes = ByteBuffer.allocate(9 + key.length + 1);
        changes.put((byte) 0).putInt(key.length).put(key).putInt(1).put((byte) 'x');
        var revision = SqliteFile.FIRST_REVISION + 1;
        var frame = ByteBuffer.allocate(20 + changes.capacity());
        frame.putInt(0xFFB7E1FF).putInt(changes.capacity()).putLong(revision).putInt(0);
        frame.put(changes.array());
        var checksum = new CRC32C();
        checksum.update(frame.array(), 4, 12);
        checksum.update(changes.array());
        frame.putInt(16, (int) checksum.getValue());
        Files.write(Journal.files(dead).getFirst(), frame.array());

        assertThat(Journal.read(dead, SqliteFile.FIRST_REVISION))
                .singleElement()
                .satisfies(change -> assertThat(change.entry().key()).isEqualTo(KEY))
                .satisfies(change -> assertThat(change.revision()).isEqualTo(revision));
        // It came after all others were durable.
        assertThatThrownBy(() -> Journal.read(dead, SqliteFile.FIRST_REVISION - 1))
                .hasMessageContaining("lacks what came after revision");
    }

    @Test
    void aBackupHasWhatTheJournalHas() throws IOException {
        var backup = directory.resolve("backup.db");
        var ofTheDead = directory.resolve("backup-of-the-dead.db");
        try (var store = SqliteStore.open(file)) {
            done(store.create(KEY, bytes("1")));
            store.backup(backup);
            die();
            SqliteBackup.write(dead, ofTheDead);

            assertThat(SqliteFile.read(backup).revision()).isEqualTo(store.revision());
            assertThat(SqliteFile.read(backup).entries()).extracting(Entry::key).contains(KEY);
        }
        assertThat(SqliteFile.read(ofTheDead))
                .usingRecursiveComparison()
                .isEqualTo(SqliteFile.read(backup));
        assertThat(Journal.files(dead)).allMatch(Files::exists);
    }

    @Test
    void aRestoredStoreTakesNothingFromTheOldJournal() throws IOException {
        var backup = directory.resolve("backup.db");
        long revision;
        try (var store = SqliteStore.open(file)) {
            revision = store.revision();
            store.backup(backup);
            done(store.create(KEY, bytes("1")));
            die();
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
    void aJournalWithoutItsFileIsRefused() throws IOException {
        try (var store = SqliteStore.open(file)) {
            done(store.create(KEY, bytes("1")));
            die();
        }
        Files.delete(dead);

        assertThatThrownBy(() -> SqliteStore.open(dead).close())
                .hasMessageContaining("a log of it is there");
    }

    @Test
    void aFileWithoutJournalsGetsTheNewFormat() throws SQLException {
        try (var store = SqliteStore.open(file)) {
            done(store.create(KEY, bytes("1")));
        }
        format("PRAGMA user_version = 1");
        try (var store = SqliteStore.open(file)) {
            assertThat(store.get(KEY)).isPresent();
        }
        assertThat(format("PRAGMA user_version")).isEqualTo(SqliteFile.FORMAT);
    }

    private int format(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            return statement.execute(sql) ? statement.getResultSet().getInt(1) : 0;
        }
    }

    /// A store that has room at first and soon has not.
    @Test
    void writesGoOnWhenTheFileIsNearItsMaximum() {
        var expected = new HashMap<Key, Long>();
        var random = new Random(6);
        var limits = new SqliteDisk.Limits(8L * SHORT.journal() + 100_000, SHORT.journal());
        try (var store = SqliteStore.open(file, limits)) {
            for (var i = 0; i < 300; i++) {
                write(store, random, expected);
            }
        }
        try (var again = SqliteStore.open(file)) {
            assertThat(revisions(again)).isEqualTo(expected);
        }
    }

    private static Map<Key, Long> revisions(Store store) {
        var page = (Listing.Page) store.list(Scope.all("pods"), 0, "", 0);
        var revisions = new HashMap<Key, Long>();
        page.entries().forEach(entry -> revisions.put(entry.key(), entry.revision()));
        return revisions;
    }

    /// Copies the files of the open store as they are now. The journal comes first, as in a backup:
    /// what is carried over meanwhile is in the database.
    private void die() throws IOException {
        for (var part : new String[] {".log-0", ".log-1", "", "-wal"}) {
            var from = Path.of(file + part);
            Files.deleteIfExists(Path.of(dead + part));
            if (Files.exists(from)) {
                Files.copy(from, Path.of(dead + part));
            }
        }
    }
}
