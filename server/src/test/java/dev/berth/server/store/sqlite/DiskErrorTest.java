package dev.berth.server.store.sqlite;

import static dev.berth.server.store.StoreContract.bytes;
import static dev.berth.server.store.StoreContract.done;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import dev.berth.server.store.StoreContract;
import dev.berth.server.store.StoreException;
import dev.berth.server.store.StoreHealth;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// Failing writes and syncs.
class DiskErrorTest {

    private static final SqliteDisk.Limits LIMITS =
            new SqliteDisk.Limits(SqliteStore.MAXIMUM_BYTES, WriteAheadLog.PART_BYTES);

    @TempDir private Path directory;
    private final FaultyChannel.Faults faults = new FaultyChannel.Faults();

    private SqliteStore open() {
        return SqliteStore.open(directory.resolve(SqliteStore.FILE), LIMITS, faults.opener());
    }

    private static ObjectKey key(int number) {
        return new ObjectKey("pods", "n", "p" + number);
    }

    @ParameterizedTest
    @CsvSource({
        "Input/output error, I/O error",
        "Read-only file system, the file system is read-only",
        "Operation not permitted, permission denied"
    })
    void aWriteThatFailsIsFinal(String message, String reason) {
        try (var store = open()) {
            var made = done(store.create(key(1), bytes("1")));
            store.awaitDurable(made.revision());
            faults.failWrites(message);

            assertThatThrownBy(() -> store.create(key(2), bytes("2")))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(reason + " (" + message + ")")
                    .hasMessageContaining("start Berth again")
                    .hasMessageNotContaining("full");
            faults.end();
            assertThatThrownBy(() -> store.create(key(3), bytes("3"))).hasMessageContaining(reason);
            assertFailed(store, reason);
            assertThat(store.get(key(1))).contains(made);
        }
        assertRestartWorks(2);
    }

    /// The writer thread survives, so that later writes are rejected instead of blocking.
    @Test
    void aVirtualMachineErrorIsFinalAndReported() {
        try (var store = open()) {
            var made = done(store.create(key(1), bytes("1")));
            store.awaitDurable(made.revision());
            faults.failWrites(new OutOfMemoryError("Java heap space"));

            assertThatThrownBy(() -> store.create(key(2), bytes("2")))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("Java heap space");
            faults.end();
            assertThatThrownBy(() -> store.create(key(3), bytes("3")))
                    .isInstanceOf(StoreException.class);
            assertFailed(store, "until the server is restarted");
        }
        assertRestartWorks(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Input/output error", "No space left on device"})
    void aSyncThatFailsIsFinal(String message) {
        try (var store = open()) {
            var before = store.revision();
            faults.failSyncs(message);
            var made = done(store.create(key(1), bytes("1")));

            assertThatThrownBy(() -> store.awaitDurable(made.revision()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("cannot be written to")
                    .hasMessageContaining("start Berth again");
            faults.end();
            assertThatThrownBy(() -> store.create(key(2), bytes("2")))
                    .hasMessageContaining("cannot be written to");
            assertThatThrownBy(() -> store.awaitDurable(store.revision()))
                    .isInstanceOf(StoreException.class);
            assertFailed(store, "until the server is restarted");
            store.awaitDurable(before);
        }
        assertRestartWorks(2);
    }

    @ParameterizedTest
    @CsvSource({
        "No space left on device, the disk is full",
        "Disk quota exceeded, the disk quota is exceeded"
    })
    void writesSucceedWhenThereIsSpaceAgain(String message, String reason) {
        try (var store = open()) {
            done(store.create(key(1), bytes("1")));
            faults.failWrites(message);
            assertThatThrownBy(() -> store.create(key(2), bytes("x".repeat(10_000))))
                    .hasMessageContaining(reason + " (" + message + ")")
                    .hasMessageContaining("Nothing was written")
                    .asInstanceOf(InstanceOfAssertFactories.type(StoreException.class))
                    .extracting(StoreException::publicReason, InstanceOfAssertFactories.STRING)
                    .contains(reason)
                    .doesNotContain(directory.toString());
            assertThat(store.health()).isEqualTo(new StoreHealth.Ready());
            assertThat(store.get(key(1))).isPresent();
            faults.end();

            store.awaitDurable(done(store.create(key(2), bytes("2"))).revision());
        }
        try (var store = open()) {
            assertThat(store.get(key(2)).map(StoreContract::text)).contains("2");
        }
    }

    /// SQLite refuses to write to a database whose file was moved.
    @Test
    void anUnwritableDatabaseStopsWrites() throws IOException {
        var file = directory.resolve(SqliteStore.FILE);
        var moved = directory.resolve("moved.db");
        var limits = new SqliteDisk.Limits(SqliteStore.MAXIMUM_BYTES, 64 << 10);
        var acknowledged = new AtomicInteger();
        try (var store = SqliteStore.open(file, limits)) {
            Files.move(file, moved);
            assertThatThrownBy(
                            () -> {
                                for (var i = 0; i < 200; i++) {
                                    var made = done(store.create(key(i), bytes("x".repeat(2_000))));
                                    store.awaitDurable(made.revision());
                                    acknowledged.incrementAndGet();
                                }
                            })
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("I/O error ([SQLITE_READONLY_DBMOVED]");
            assertFailed(store, "I/O error");
        }
        Files.move(moved, file);
        try (var store = SqliteStore.open(file)) {
            for (var i = 0; i < acknowledged.get(); i++) {
                assertThat(store.get(key(i))).as("%d of %s", i, acknowledged).isPresent();
            }
        }
    }

    @Test
    void errorsAreClassified() {
        var file = directory.resolve(SqliteStore.FILE);
        assertThat(DiskError.of(new AccessDeniedException("x"), file))
                .isEqualTo(DiskError.PERMISSION);
        assertThat(DiskError.of(new IOException(), file)).isEqualTo(DiskError.IO);
        assertThat(DiskError.of(sqlite(SQLiteErrorCode.SQLITE_IOERR_FSYNC), file))
                .isEqualTo(DiskError.IO);
        assertThat(DiskError.of(sqlite(SQLiteErrorCode.SQLITE_FULL), file))
                .isEqualTo(DiskError.FULL_OR_LIMIT);
        assertThat(DiskError.of(sqlite(SQLiteErrorCode.SQLITE_READONLY), file))
                .isEqualTo(DiskError.READ_ONLY);
        assertThat(DiskError.of(sqlite(SQLiteErrorCode.SQLITE_BUSY), file))
                .isEqualTo(DiskError.LOCKED);
    }

    private static SQLiteException sqlite(SQLiteErrorCode code) {
        return new SQLiteException("", code);
    }

    private void assertFailed(Store store, String reason) {
        assertThat(store.health())
                .isInstanceOfSatisfying(
                        StoreHealth.Failed.class,
                        failed -> {
                            assertThat(failed.reason())
                                    .contains(reason)
                                    .doesNotContain(directory.toString());
                            assertThat(failed.detail()).contains(directory.toString());
                        });
    }

    private void assertRestartWorks(int number) {
        try (var store = open()) {
            assertThat(store.health()).isEqualTo(new StoreHealth.Ready());
            assertThat(store.get(key(1))).isPresent();
            done(store.create(key(number), bytes("2")));
        }
    }
}
