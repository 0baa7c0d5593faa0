package dev.berth.server.store.sqlite;

import dev.berth.model.file.PrivateDirectory;
import dev.berth.model.text.FailureText;
import dev.berth.server.store.Change;
import dev.berth.server.store.History;
import dev.berth.server.store.HistoryStore;
import dev.berth.server.store.Mutation;
import dev.berth.server.store.StoreException;
import dev.berth.server.store.StoreHealth;
import dev.berth.server.store.WriteBatch;
import dev.berth.server.store.WriteResult;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// A store in a SQLite database with a write-ahead log in front of it.
///
/// One thread writes. It takes all queued writes, evaluates each against the history and the writes
/// before it, appends all changes to the log with one write, makes them visible to readers and
/// completes the results. Another thread syncs the log for callers that wait for durability.
public final class SqliteStore extends HistoryStore {

    /// File name in the data directory.
    public static final String FILE = "store.db";

    /// Default maximum size of the file. All objects are in memory, too.
    public static final long MAXIMUM_BYTES = 8L << 30;

    private final Path file;
    private final StoreLock lock;
    private final SqliteDisk disk;
    private final LogSyncer syncer;
    private final WriteQueue queue = new WriteQueue();
    private final Thread writer;

    private SqliteStore(Path file, StoreLock lock, SqliteDisk disk, History history) {
        super(history);
        this.file = file;
        this.lock = lock;
        this.disk = disk;
        this.syncer = new LogSyncer(disk);
        this.writer = Thread.ofPlatform().name("store-writer").daemon().unstarted(this::run);
    }

    /// Opens the store in the file; creates it if it does not exist.
    public static SqliteStore open(Path file) {
        return open(file, MAXIMUM_BYTES);
    }

    /// Opens the store in the file; creates it if it does not exist.
    ///
    /// @param maximumBytes maximum size of the database; writes that would exceed it are rejected
    public static SqliteStore open(Path file, long maximumBytes) {
        return open(file, new SqliteDisk.Limits(maximumBytes, WriteAheadLog.PART_BYTES));
    }

    static SqliteStore open(Path file, SqliteDisk.Limits limits) {
        return open(file, limits, WriteAheadLog.Opener.DEFAULT);
    }

    static SqliteStore open(Path file, SqliteDisk.Limits limits, WriteAheadLog.Opener opener) {
        var path = file.toAbsolutePath();
        try {
            PrivateDirectory.createDurably(path.resolveSibling(""));
            var lock = StoreLock.of(path);
            try {
                return open(path, limits, opener, lock);
            } catch (SQLException | IOException | RuntimeException e) {
                lock.close();
                throw e;
            }
        } catch (SQLException | IOException e) {
            throw new StoreException(
                    "%s cannot be opened: %s (%s)"
                            .formatted(path, DiskError.of(e, path).reason(), FailureText.of(e)),
                    e);
        }
    }

    private static SqliteStore open(
            Path file, SqliteDisk.Limits limits, WriteAheadLog.Opener opener, StoreLock lock)
            throws SQLException, IOException {
        var recovery = SqliteRecovery.read(file);
        var disk = SqliteDisk.open(file, limits, recovery, opener);
        var history = new History(recovery.revision(), recovery.entries());
        var store = new SqliteStore(file, lock, disk, history);
        store.syncer.start();
        store.writer.start();
        return store;
    }

    @Override
    public void awaitDurable(long revision) {
        syncer.awaitDurable(revision);
    }

    @Override
    public StoreHealth health() {
        return disk.health();
    }

    @Override
    protected WriteResult write(Mutation mutation) {
        return queue.submit(mutation);
    }

    /// Writes the current content into a new file, while the store stays in use.
    public void backup(Path target) {
        SqliteBackup.write(file, target);
    }

    private void run() {
        try {
            for (var requests = queue.take(); !requests.isEmpty(); requests = queue.take()) {
                write(requests);
            }
        } catch (InterruptedException e) {
            // This thread is private and never interrupted.
            throw new IllegalStateException(e);
        }
    }

    /// Executes the writes of a batch. After any failure the thread continues with the next batch:
    /// without it every later write would wait for ever.
    private void write(List<WriteQueue.Request> requests) {
        try {
            var results = written(requests);
            for (var i = 0; i < requests.size(); i++) {
                requests.get(i).result().complete(results.get(i));
            }
        } catch (RuntimeException | Error e) {
            requests.forEach(request -> request.result().completeExceptionally(e));
        }
    }

    private List<WriteResult> written(List<WriteQueue.Request> requests) {
        var batch = new WriteBatch(history());
        var results = new ArrayList<WriteResult>();
        for (var request : requests) {
            results.add(batch.evaluate(request.mutation()));
        }
        if (!batch.changes().isEmpty()) {
            disk.write(batch.changes());
            apply(batch.changes());
        }
        return results;
    }

    private void apply(List<Change> changes) {
        try {
            history().apply(changes);
        } catch (RuntimeException | Error e) {
            throw disk.fail(e);
        }
        syncer.scheduleSync();
    }

    @Override
    public void close() {
        history().close();
        queue.close();
        try {
            writer.join();
            syncer.stop();
            try (lock) {
                disk.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException | IOException e) {
            throw new StoreException(
                    "%s could not be closed: %s".formatted(file, FailureText.of(e)), e);
        }
    }
}
