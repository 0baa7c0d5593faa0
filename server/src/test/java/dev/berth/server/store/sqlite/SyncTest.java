package dev.berth.server.store.sqlite;

import static dev.berth.server.store.StoreContract.bytes;
import static dev.berth.server.store.StoreContract.done;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import dev.berth.server.store.Change;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ObjectKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Durability of written changes.
class SyncTest {

    @TempDir private Path directory;
    private Path file;

    @BeforeEach
    void nameFile() {
        file = directory.resolve(SqliteStore.FILE);
    }

    private static ObjectKey key(int number) {
        return new ObjectKey("pods", "n", "p" + number);
    }

    @Test
    void allWaitersAreCompleted() throws Exception {
        try (var store = SqliteStore.open(file);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var results = new ArrayList<Future<Long>>();
            for (var i = 0; i < 1_000; i++) {
                var key = key(i);
                results.add(
                        threads.submit(() -> {
                            var revision = done(store.create(key, bytes("1"))).revision();
                            store.awaitDurable(revision);
                            return revision;
                        }));
            }
            for (var result : results) {
                assertThat(result.get()).isLessThanOrEqualTo(store.revision());
            }
        }
    }

    @Test
    void aChangeWithoutWaitersBecomesDurable() throws Exception {
        try (var disk = disk()) {
            var syncer = startedWithAChange(disk);
            syncer.scheduleSync();
            Eventually.holds(() -> disk.durable() >= disk.written());
            syncer.stop();
        }
    }

    @Test
    void stoppingMakesTheLastChangeDurable() throws Exception {
        try (var disk = disk()) {
            var syncer = startedWithAChange(disk);
            assertThat(disk.durable()).isLessThan(disk.written());

            syncer.stop();
            assertThat(disk.durable()).isEqualTo(disk.written());
            syncer.awaitDurable(disk.written());
        }
    }

    private static LogSyncer startedWithAChange(SqliteDisk disk) {
        var syncer = new LogSyncer(disk);
        syncer.start();
        disk.write(List.of(change(disk.written() + 1)));
        return syncer;
    }

    private SqliteDisk disk() throws Exception {
        SqliteStore.open(file).close();
        var limits = new SqliteDisk.Limits(SqliteStore.MAXIMUM_BYTES, WriteAheadLog.PART_BYTES);
        return SqliteDisk.open(
                file, limits, SqliteRecovery.read(file), WriteAheadLog.Opener.DEFAULT);
    }

    private static Change change(long revision) {
        var entry = new Entry(key(1), revision, bytes("1"));
        return new Change(Change.Type.CREATED, entry, Optional.empty());
    }
}
