package dev.berth.server.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// A store in one file of SQLite.
///
/// One thread writes. It takes all writes that wait, judges each against what is there and the ones
/// before it, makes all of them durable in one transaction, shows them to readers and answers. So
/// many writers share the price of one sync of the disk. While there are many, it rests a moment
/// after each sync, so that still more of them share the next.
public final class SqliteStore implements Store {

    /// The name of the file in the data directory.
    public static final String FILE = "store.db";

    /// How large the file may become unless told otherwise. All of it is in memory, too.
    public static final long MAXIMUM_BYTES = 8L << 30;

    /// Shorter than a sync takes, so that nobody waits much longer for it.
    private static final Duration REST = Duration.ofNanos(200_000);

    private final Path file;
    private final long maximumBytes;
    private final FileOwner owner;
    private final History history;
    private final WriteQueue queue = new WriteQueue();
    private final Thread writer;

    // Only the writer uses these: the file, and why nothing can be written to it any more.
    private SqliteFile database;
    private Optional<StoreException> broken = Optional.empty();

    private SqliteStore(
            Path file, long maximumBytes, FileOwner owner, SqliteFile database, History history) {
        this.file = file;
        this.maximumBytes = maximumBytes;
        this.owner = owner;
        this.database = database;
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
        var place = file.toAbsolutePath();
        try {
            PrivateFiles.createDirectory(place.resolveSibling(""));
            var owner = FileOwner.of(place);
            try {
                return open(place, maximumBytes, owner);
            } catch (SQLException | IOException | RuntimeException e) {
                owner.close();
                throw e;
            }
        } catch (SQLException | IOException e) {
            throw new StoreException("%s cannot be opened: %s".formatted(place, e), e);
        }
    }

    private static SqliteStore open(Path file, long maximumBytes, FileOwner owner)
            throws SQLException, IOException {
        if (!Files.exists(file)) {
            if (Files.exists(SqliteBackup.log(file))) {
                throw SqliteFile.damaged(file, "it is gone, but its write-ahead log is there");
            }
            SqliteFile.create(file);
        } else if (Files.size(file) == 0) {
            throw SqliteFile.damaged(file, "it is empty");
        }
        var content = SqliteFile.read(file);
        var database = SqliteFile.open(file, maximumBytes);
        var history = new History(content.revision(), content.entries());
        var store = new SqliteStore(file, maximumBytes, owner, database, history);
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
    public boolean await(long revision, Duration patience) throws InterruptedException {
        return history.await(revision, patience);
    }

    @Override
    public Optional<Entry> get(Key key) {
        return history.get(key);
    }

    @Override
    public Listing list(Scope scope, long atRevision, String after, int limit) {
        return history.list(scope, atRevision, after, limit);
    }

    @Override
    public Write create(Key key, Value value) {
        return queue.submit(Mutation.create(key, value));
    }

    @Override
    public Write update(Key key, long revision, Value value) {
        return queue.submit(Mutation.update(key, revision, value));
    }

    @Override
    public Write delete(Key key, long revision) {
        return queue.submit(Mutation.delete(key, revision));
    }

    @Override
    public Watch watch(Scope scope, long after) {
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
                if (batch.size() > 1) {
                    LockSupport.parkNanos(REST.toNanos());
                }
            }
        } catch (InterruptedException e) {
            // Nobody interrupts this thread, which is private.
            throw new IllegalStateException(e);
        }
    }

    private void write(List<WriteQueue.Request> batch) {
        var draft = new Draft(history);
        var answers = new ArrayList<Write>();
        for (var request : batch) {
            answers.add(draft.judge(request.mutation()));
        }
        if (!draft.changes().isEmpty()) {
            var failure = broken.or(() -> failure(draft.changes()));
            if (failure.isPresent()) {
                for (var request : batch) {
                    request.answer().completeExceptionally(failure.get());
                }
                return;
            }
            history.apply(draft.changes());
        }
        for (var i = 0; i < batch.size(); i++) {
            batch.get(i).answer().complete(answers.get(i));
        }
    }

    /// Makes the changes durable; or says why not, and then none of them is.
    private Optional<StoreException> failure(List<Change> changes) {
        try {
            database.write(changes);
            return Optional.empty();
        } catch (SQLException e) {
            try {
                // Closing takes back what was begun, whatever state that is in. A disk without
                // space
                // is no reason to distrust what is on it; other errors are.
                database.close();
                database = SqliteFile.open(file, maximumBytes);
                if (isFull(e) && database.revision() == history.revision()) {
                    return Optional.of(full(e));
                }
            } catch (SQLException again) {
                e.addSuppressed(again);
            }
            broken = Optional.of(broken(e));
            return broken;
        } catch (RuntimeException e) {
            broken = Optional.of(broken(e));
            return broken;
        }
    }

    private static boolean isFull(SQLException e) {
        return e instanceof SQLiteException sqlite
                && sqlite.getResultCode() == SQLiteErrorCode.SQLITE_FULL;
    }

    private StoreException full(Exception e) {
        return new StoreException(
                file
                        + " cannot grow: its disk is full or its maximum size is reached. Nothing"
                        + " was written. Free some space or allow more; reads go on meanwhile, and"
                        + " writes work again after that",
                e);
    }

    private StoreException broken(Exception e) {
        return new StoreException(
                ("%s cannot be written to: %s. Look after the disk and start Berth again; until"
                                + " then there are only reads")
                        .formatted(file, e.getMessage()),
                e);
    }

    @Override
    public void close() {
        history.close();
        queue.close();
        try {
            writer.join();
            database.close();
            owner.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException | IOException e) {
            throw new StoreException("%s could not be closed: %s".formatted(file, e), e);
        }
    }
}
