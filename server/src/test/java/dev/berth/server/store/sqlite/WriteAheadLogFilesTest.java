package dev.berth.server.store.sqlite;

import static dev.berth.server.store.StoreContract.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.store.Change;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.StoreContract;
import dev.berth.server.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which write-ahead logs are read, and which are rejected. The logs here have one change per
/// frame, all frames have the same length, and the database has revision 1.
class WriteAheadLogFilesTest {

    private static final UUID STORE = new UUID(1, 2);
    private static final long REVISION = 1;
    private static final ObjectKey KEY = new ObjectKey("pods", "n", "p");

    @TempDir private Path directory;
    private Path store;
    private Path older;
    private Path newer;

    @BeforeEach
    void createLog() throws IOException {
        store = directory.resolve(SqliteStore.FILE);
        older = WriteAheadLog.file(store, WriteAheadLog.FIRST_GENERATION);
        newer = WriteAheadLog.file(store, WriteAheadLog.FIRST_GENERATION + 1);
        WriteAheadLog.create(store, STORE, REVISION);
    }

    @Test
    void aTornWriteIsIgnored() throws IOException {
        append(5, 2, 0);
        var whole = Files.readAllBytes(newer);
        var frame = (whole.length - WriteAheadLogSector.PAGE_BYTES) / 5;
        for (var length = whole.length - frame; length < whole.length; length++) {
            Files.write(newer, Arrays.copyOf(whole, length));
            assertThat(lacking()).hasSize(4);
            // As if the file had been longer before.
            Files.write(newer, Arrays.copyOf(Arrays.copyOf(whole, length), whole.length + 100));
            assertThat(lacking()).hasSize(4);
        }
    }

    /// Includes the last frame, which no later frame covers.
    @Test
    void aFlippedBitInDurableChangesIsRefused() throws IOException {
        append(5, 0, REVISION + 5);
        var whole = Files.readAllBytes(newer);
        for (var at = WriteAheadLogSector.PAGE_BYTES; at < whole.length; at += 7) {
            var flipped = whole.clone();
            flipped[at] ^= 1;
            Files.write(newer, flipped);
            var frame = (whole.length - WriteAheadLogSector.PAGE_BYTES) / 5;
            var damaged = at - (at - WriteAheadLogSector.PAGE_BYTES) % frame;
            refused(newer + " is damaged at offset " + damaged, "berth restore FILE");
        }
    }

    @Test
    void aTruncatedLogIsRefused() throws IOException {
        append(5, 0, REVISION + 5);
        var whole = Files.readAllBytes(newer);
        for (var length = 0; length < whole.length; length += 11) {
            Files.write(newer, Arrays.copyOf(whole, length));
            refused(newer + " is damaged at offset", "berth restore FILE");
        }
    }

    @Test
    void aMissingFileIsRefused() throws IOException {
        append(1, 0, 0);
        Files.delete(older);
        refused(older + " is missing");
    }

    @Test
    void aFlippedBitInAHeaderOrSyncRecordIsRefused() throws IOException {
        for (var file : WriteAheadLog.files(store)) {
            var whole = Files.readAllBytes(file);
            for (var kind : WriteAheadLogSector.Kind.values()) {
                var flipped = whole.clone();
                flipped[kind.at() + 30] ^= 1;
                Files.write(file, flipped);
                refused(file + " is damaged at offset " + kind.at());
            }
            Files.write(file, whole);
        }
    }

    @Test
    void anOlderCopyOfAFileIsRefused() throws IOException {
        var copy = directory.resolve("copy");
        Files.copy(newer, copy);
        append(5, 0, REVISION + 3);
        Files.copy(copy, newer, StandardCopyOption.REPLACE_EXISTING);
        refused("the changes of revisions 2 to 4, which were durable, are missing or altered");
    }

    @Test
    void aCopyOfTheOtherFileIsRefused() throws IOException {
        Files.copy(older, newer, StandardCopyOption.REPLACE_EXISTING);
        refused(newer + " is a copy of the other part");
    }

    @Test
    void aFileOfAnotherStoreIsRefused() throws IOException {
        assertThatThrownBy(() -> WriteAheadLogFiles.read(store, new UUID(3, 4)))
                .hasMessageContaining("belongs to the store " + STORE);
    }

    @Test
    void anOutdatedDatabaseIsRefused() throws IOException {
        append(1, 0, 0);
        assertThatThrownBy(() -> WriteAheadLogFiles.read(store, STORE).after(REVISION - 1, 0))
                .hasMessageContaining(
                        "store.db is outdated: it has revision 0, but its log begins after"
                                + " revision 1");
    }

    @Test
    void anOutdatedLogIsRefused() {
        assertThatThrownBy(() -> WriteAheadLogFiles.read(store, STORE).after(REVISION, 7))
                .hasMessageContaining("is outdated: it has generation 2")
                .hasMessageContaining("generation 7");
    }

    /// As when the machine fails after one page of a file was written, and not the one before.
    @Test
    void unsyncedChangesEndAtTheFirstLostOne() throws IOException {
        append(5, REVISION, 0);
        var whole = Files.readAllBytes(newer);
        for (var lost = 0; lost < 5; lost++) {
            flipFrame(whole, lost);
            assertThat(lacking()).hasSize(lost);
        }
    }

    @Test
    void aLaterFrameRecordsWhichOnesWereDurable() throws IOException {
        append(5, REVISION + 2, 0);
        flipFrame(Files.readAllBytes(newer), 1);
        refused("the changes of revisions 3 to 3, which were durable, are missing or altered");
    }

    /// Dropped changes do not return when new ones have the same revisions.
    @Test
    void changesAfterALostOneDoNotReturn() throws IOException {
        append(3, REVISION, 0);
        flipFrame(Files.readAllBytes(newer), 1);
        var generation = WriteAheadLogFiles.read(store, STORE).generation();
        try (var log = open(generation, REVISION + 1)) {
            log.append(frame(REVISION + 2, REVISION + 1, "second life"));
        }
        assertThat(lacking())
                .extracting(change -> StoreContract.text(change.entry()))
                .containsExactly("x".repeat(100), "second life");
    }

    /// @param synced synced revision in all frames
    /// @param durable revision in the sync record; 0 for none
    private void append(int frames, long synced, long durable) throws IOException {
        try (var log = open(WriteAheadLog.FIRST_GENERATION, REVISION)) {
            for (var i = 1; i <= frames; i++) {
                log.append(frame(REVISION + i, synced, "x".repeat(100)));
            }
            if (durable > 0) {
                log.recordDurable(durable);
            }
        }
    }

    private WriteAheadLog open(long generation, long revision) throws IOException {
        return WriteAheadLog.open(
                store,
                STORE,
                generation,
                revision,
                WriteAheadLog.PART_BYTES,
                WriteAheadLog.Opener.DEFAULT);
    }

    private static WriteAheadLogFrame frame(long revision, long synced, String value) {
        var entry = new Entry(KEY, revision, bytes(value));
        return new WriteAheadLogFrame(
                synced, List.of(new Change(Change.Type.CREATED, entry, Optional.empty())));
    }

    /// Writes the newer file with a damaged frame among five or three.
    private void flipFrame(byte[] whole, int number) throws IOException {
        var frame = new byte[] {(byte) 0xFF, (byte) 0xB7, (byte) 0xE2, (byte) 0xFF};
        var starts = new ArrayList<Integer>();
        for (var at = WriteAheadLogSector.PAGE_BYTES; at < whole.length; at++) {
            if (Arrays.mismatch(frame, Arrays.copyOfRange(whole, at, at + 4)) < 0) {
                starts.add(at);
            }
        }
        var flipped = whole.clone();
        flipped[starts.get(number) + 50] ^= 1;
        Files.write(newer, flipped);
    }

    private List<Change> lacking() throws IOException {
        return WriteAheadLogFiles.read(store, STORE)
                .after(REVISION, WriteAheadLog.FIRST_GENERATION);
    }

    private void refused(String... words) {
        assertThatThrownBy(this::lacking)
                .isInstanceOf(StoreException.class)
                .message()
                .contains(words);
    }
}
