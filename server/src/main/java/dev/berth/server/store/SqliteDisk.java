package dev.berth.server.store;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// What makes the changes of a [SqliteStore] durable: a journal that takes each of them at once,
/// and a database into which they are carried over many at a time. Of an object that changed often
/// meanwhile the database sees only the last change.
///
/// When the database may grow to its maximum soon, changes go to it at once, since it alone knows
/// whether they fit.
///
/// One thread writes. Another may make durable what was written, meanwhile.
final class SqliteDisk implements AutoCloseable {

    /// By how much more than both files of the journal the database may grow through what is in
    /// them: objects of an unlucky size fill half of their pages.
    private static final long GROWTH = 4;

    private final Path file;
    private final Limits limits;
    private final Journal journal;
    private final ExecutorService carrier =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().name("store-carrier").daemon().factory());

    // What is only in the journal: the changes in the file that is written to, and those that are
    // on their way. Meanwhile the database belongs to the carrier.
    private SequencedMap<Key, Change> fresh = new LinkedHashMap<>();
    private SequencedMap<Key, Change> leaving = new LinkedHashMap<>();
    private Future<?> carrying = CompletableFuture.completedFuture(null);
    private SqliteFile database;

    private volatile boolean roomy;
    private volatile long written;
    private volatile long durable;
    private volatile Optional<StoreException> broken = Optional.empty();

    private SqliteDisk(
            Path file, Limits limits, Journal journal, SqliteFile database, long revision)
            throws SQLException {
        this.file = file;
        this.limits = limits;
        this.journal = journal;
        this.database = database;
        this.written = revision;
        this.durable = revision;
        look();
    }

    /// How large things become.
    ///
    /// @param database writes that would make the database larger are refused
    /// @param journal how long each file of the journal may become
    record Limits(long database, int journal) {}

    /// Opens a database that was checked, and carries over what was left in its journal.
    ///
    /// @param left what is newer than the database
    /// @param revision with all that
    static SqliteDisk open(Path file, Limits limits, List<Change> left, long revision)
            throws SQLException, IOException {
        var database = SqliteFile.open(file, limits.database);
        try {
            if (!left.isEmpty()) {
                database.write(left);
            }
            var journal = Journal.open(file, limits.journal);
            return new SqliteDisk(file, limits, journal, database, revision);
        } catch (SQLException | IOException | RuntimeException e) {
            database.close();
            throw e;
        }
    }

    /// The newest revision that was written.
    long written() {
        return written;
    }

    /// Everything up to this revision is durable.
    long durable() {
        return durable;
    }

    /// Writes changes, all or none. They are durable after the next sync.
    ///
    /// @throws StoreException when none is written; says whether that can change
    void write(List<Change> changes) {
        refuseIfBroken();
        try {
            if (roomy) {
                append(changes);
            } else {
                settle();
                carry(fresh);
                fresh.clear();
                database.write(changes);
                durable = changes.getLast().revision();
            }
            written = changes.getLast().revision();
        } catch (RuntimeException e) {
            throw broken(e);
        } catch (IOException e) {
            throw full(e);
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    private void refuseIfBroken() {
        broken.ifPresent(reason -> {
            throw reason.again();
        });
    }

    /// Makes everything durable that was written before. May be called on any thread.
    ///
    /// @throws StoreException when it may or may not be durable; then nothing more can be written
    synchronized void sync() {
        refuseIfBroken();
        var reached = written;
        if (durable < reached) {
            try {
                journal.sync();
            } catch (IOException e) {
                throw broken(e);
            }
            durable = Math.max(durable, reached);
        }
    }

    private void append(List<Change> changes) throws IOException, SQLException {
        if (!journal.append(new Frame(durable, changes))) {
            settle();
            sync();
            turn();
            journal.append(new Frame(durable, changes));
        }
        for (var change : changes) {
            // Without what was before, which must not be held for so long.
            var lean = new Change(change.type(), change.entry(), Optional.empty());
            fresh.putLast(change.entry().key(), lean);
        }
    }

    private void turn() {
        journal.turn();
        leaving = fresh;
        fresh = new LinkedHashMap<>();
        carrying =
                carrier.submit(() -> {
                    carry(leaving);
                    return null;
                });
    }

    /// Waits until all but the fresh changes are in the database.
    private void settle() throws SQLException {
        try {
            carrying.get();
        } catch (ExecutionException e) {
            // Closing takes back what was begun, whatever state that is in.
            database.close();
            database = SqliteFile.open(file, limits.database);
            carry(leaving);
            carrying = CompletableFuture.completedFuture(null);
        } catch (InterruptedException e) {
            // Nobody interrupts the writer, which is private to the store.
            throw new IllegalStateException(e);
        }
    }

    private void carry(SequencedMap<Key, Change> changes) throws SQLException {
        if (!changes.isEmpty()) {
            database.write(List.copyOf(changes.values()));
            look();
        }
    }

    private void look() throws SQLException {
        roomy = database.bytes() + GROWTH * 2 * limits.journal <= limits.database;
    }

    private StoreException failure(SQLException e) {
        try {
            database.close();
            database = SqliteFile.open(file, limits.database);
            // A disk without space is no reason to distrust what is on it; other errors are.
            if (isFull(e) && database.revision() <= written) {
                return full(e);
            }
        } catch (SQLException again) {
            e.addSuppressed(again);
        }
        return broken(e);
    }

    private static boolean isFull(SQLException e) {
        return e instanceof SQLiteException sqlite
                && sqlite.getResultCode() == SQLiteErrorCode.SQLITE_FULL;
    }

    private StoreException full(Exception e) {
        return new StoreException(
                ("%s cannot grow: its disk is full or its maximum size is reached (%s). Nothing"
                                + " was written. Free some space or allow more; reads go on"
                                + " meanwhile, and writes work again after that")
                        .formatted(file, e.getMessage()),
                e);
    }

    private StoreException broken(Exception e) {
        if (broken.isPresent()) {
            return broken.get();
        }
        var reason =
                new StoreException(
                        ("%s cannot be written to: %s. Look after the disk and start Berth again;"
                                        + " until then nothing is written, and nothing is told"
                                        + " that may be lost")
                                .formatted(file, e.getMessage()),
                        e);
        broken = Optional.of(reason);
        return reason;
    }

    /// Leaves everything in the database, and no journal. When that fails, the journal stays and is
    /// read at the next start.
    @Override
    public void close() throws SQLException, IOException {
        try {
            if (broken.isEmpty()) {
                settle();
                carry(fresh);
                journal.close();
                Journal.delete(file);
            }
        } finally {
            carrier.shutdown();
            journal.close();
            database.close();
        }
    }
}
