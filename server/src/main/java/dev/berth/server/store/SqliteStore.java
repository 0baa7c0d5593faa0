package dev.berth.server.store;

import dev.berth.model.text.FailureText;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A store in a database of SQLite, with a journal beside it.
///
/// One thread writes. It takes all writes that wait, judges each against what is there and the ones
/// before it, writes all of them to the journal at once, shows them to readers and answers. Another
/// makes durable what was written, for those who wait for that.
public final class SqliteStore implements Store {

    /// The name of the file in the data directory.
    public static final String FILE = "store.db";

    /// How large the file may become unless told otherwise. All of it is in memory, too.
    public static final long MAXIMUM_BYTES = 8L << 30;

    private final Path file;
    private final FileOwner owner;
    private final SqliteDisk disk;
    private final LogSyncer syncer;
    private final History history;
    private final WriteQueue queue = new WriteQueue();
    private final Thread writer;

    private SqliteStore(Path file, FileOwner owner, SqliteDisk disk, History history) {
        this.file = file;
        this.owner = owner;
        this.disk = disk;
        this.syncer = new LogSyncer(disk);
        this.history = history;
        this.writer = Thread.ofPlatform().name("store-writer").daemon().unstarted(this::run);
    }

    /// Opens the store in that file, or makes one when there is none.
    public static SqliteStore open(Path file) {
        return open(file, MAXIMUM_BYTES);
    }

    /// Opens the store in that file, or makes one when there is none.
    ///
    /// @param maximumBytes writes that would make the file larger are refused
    public static SqliteStore open(Path file, long maximumBytes) {
        return open(file, new SqliteDisk.Limits(maximumBytes, WriteAheadLog.PART_BYTES));
    }

    static SqliteStore open(Path file, SqliteDisk.Limits limits) {
        return open(file, limits, WriteAheadLog.Opener.DEFAULT);
    }

    static SqliteStore open(Path file, SqliteDisk.Limits limits, WriteAheadLog.Opener opener) {
        var place = file.toAbsolutePath();
        try {
            StoreFiles.createDirectory(place.resolveSibling(""));
            var owner = FileOwner.of(place);
            try {
                return open(place, limits, opener, owner);
            } catch (SQLException | IOException | RuntimeException e) {
                owner.close();
                throw e;
            }
        } catch (SQLException | IOException e) {
            throw new StoreException(
                    "%s cannot be opened: %s (%s)"
                            .formatted(place, DiskError.of(e, place).reason(), FailureText.of(e)),
                    e);
        }
    }

    private static SqliteStore open(
            Path file, SqliteDisk.Limits limits, WriteAheadLog.Opener opener, FileOwner owner)
            throws SQLException, IOException {
        var recovery = SqliteRecovery.read(file);
        var disk = SqliteDisk.open(file, limits, recovery, opener);
        var history = new History(recovery.revision(), recovery.entries());
        var store = new SqliteStore(file, owner, disk, history);
        store.syncer.start();
        store.writer.start();
        return store;
    }

    @Override
    public long revision() {
        return history.revision();
    }

    @Override
    public long sync() {
        return history.revision();
    }

    @Override
    public void secure(long revision) {
        syncer.secure(revision);
    }

    @Override
    public StoreHealth health() {
        return disk.health();
    }

    @Override
    public boolean await(long revision, Duration patience) throws InterruptedException {
        return history.await(revision, patience);
    }

    @Override
    public Optional<Entry> get(ObjectKey key) {
        return history.get(key);
    }

    @Override
    public ListResult list(CollectionScope scope, long atRevision, String after, int limit) {
        return history.list(scope, atRevision, after, limit);
    }

    @Override
    public WriteResult create(ObjectKey key, StoredValue value) {
        return queue.submit(Mutation.create(key, value));
    }

    @Override
    public WriteResult update(ObjectKey key, long revision, StoredValue value) {
        return queue.submit(Mutation.update(key, revision, value));
    }

    @Override
    public WriteResult delete(ObjectKey key, long revision) {
        return queue.submit(Mutation.delete(key, revision));
    }

    @Override
    public Watch watch(CollectionScope scope, long after) {
        return history.watch(scope, after);
    }

    @Override
    public void compact(long revision) {
        history.compact(revision);
    }

    /// Writes what is stored now into a new file, while everything goes on.
    public void backup(Path target) {
        SqliteBackup.write(file, target);
    }

    private void run() {
        try {
            for (var batch = queue.take(); !batch.isEmpty(); batch = queue.take()) {
                write(batch);
            }
        } catch (InterruptedException e) {
            // Nobody interrupts this thread, which is private.
            throw new IllegalStateException(e);
        }
    }

    /// Makes the writes of a batch. Whatever fails, the thread goes on with the next batch: without
    /// it every later write would wait for ever.
    private void write(List<WriteQueue.Request> batch) {
        try {
            var answers = written(batch);
            for (var i = 0; i < batch.size(); i++) {
                batch.get(i).answer().complete(answers.get(i));
            }
        } catch (RuntimeException | Error e) {
            batch.forEach(request -> request.answer().completeExceptionally(e));
        }
    }

    private List<WriteResult> written(List<WriteQueue.Request> batch) {
        var draft = new WriteBatch(history);
        var answers = new ArrayList<WriteResult>();
        for (var request : batch) {
            answers.add(draft.judge(request.mutation()));
        }
        if (!draft.changes().isEmpty()) {
            disk.write(draft.changes());
            apply(draft.changes());
        }
        return answers;
    }

    private void apply(List<Change> changes) {
        try {
            history.apply(changes);
        } catch (RuntimeException | Error e) {
            throw disk.broken(e);
        }
        syncer.written();
    }

    @Override
    public void close() {
        history.close();
        queue.close();
        try {
            writer.join();
            syncer.stop();
            try (owner) {
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
