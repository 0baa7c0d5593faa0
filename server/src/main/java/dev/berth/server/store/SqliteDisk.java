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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What makes the changes of a [SqliteStore] durable: a journal that takes each of them at once,
/// and a database into which they are carried over many at a time. Of an object that changed often
/// meanwhile the database sees only the last change.
///
/// When the database may grow to its maximum soon, changes go to it at once, since it alone knows
/// whether they fit.
///
/// One thread writes. Another may make durable what was written, meanwhile.
final class SqliteDisk implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteDisk.class);

    /// By how much more than both files of the journal the database may grow through what is in
    /// them: objects of an unlucky size fill half of their pages.
    private static final long GROWTH = 4;

    private final Path file;
    private final Limits limits;
    private final WriteAheadLog journal;
    private final ExecutorService carrier =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().name("store-carrier").daemon().factory());

    // What is only in the journal: the changes in the file that is written to, and those that are
    // on their way. Meanwhile the database belongs to the carrier.
    private SequencedMap<ObjectKey, Change> fresh = new LinkedHashMap<>();
    private SequencedMap<ObjectKey, Change> leaving = new LinkedHashMap<>();
    private Future<?> carrying = CompletableFuture.completedFuture(null);
    private SqliteFile database;

    // Of the changes that are on their way.
    private long leavingGeneration;

    private boolean closed;
    private volatile boolean roomy;
    private volatile long written;
    private volatile long durable;
    private volatile Optional<StoreException> broken = Optional.empty();

    private SqliteDisk(
            Path file, Limits limits, WriteAheadLog journal, SqliteFile database, long revision)
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

    /// Opens a store that was checked, and carries over what was left in its journal.
    static SqliteDisk open(
            Path file, Limits limits, SqliteRecovery recovery, WriteAheadLog.Opener opener)
            throws SQLException, IOException {
        var database = SqliteFile.open(file, limits.database);
        try {
            carryOver(file, database, recovery);
            var journal =
                    WriteAheadLog.open(
                            file,
                            recovery.meta().store(),
                            recovery.generation(),
                            recovery.revision(),
                            limits.journal,
                            opener);
            return new SqliteDisk(file, limits, journal, database, recovery.revision());
        } catch (SQLException | IOException | RuntimeException e) {
            database.close();
            throw e;
        }
    }

    private static void carryOver(Path file, SqliteFile database, SqliteRecovery recovery)
            throws SQLException, IOException {
        var left = recovery.left();
        if (left.isEmpty() && recovery.meta().generation() > 0) {
            return;
        }
        // The database must not name a generation that can still be lost.
        for (var part : WriteAheadLog.files(file)) {
            StoreFiles.sync(part);
        }
        if (left.isEmpty()) {
            database.setGeneration(recovery.generation());
        } else {
            database.write(left, recovery.generation());
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

    /// Whether writes can be acknowledged.
    StoreHealth health() {
        return broken.<StoreHealth>map(e ->
                        new StoreHealth.Failed(e.publicReason(), String.valueOf(e.getMessage())))
                .orElseGet(StoreHealth.Ready::new);
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
                writeThrough(changes);
            }
            written = changes.getLast().revision();
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            throw broken(e);
        } catch (IOException e) {
            throw DiskError.of(e, file).isTemporary() ? refusal(e) : broken(e);
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
            setDurable(reached);
        }
    }

    /// Also recorded in the journal, before anything is acknowledged. On a full disk the older
    /// record stays, which is as true.
    private synchronized void setDurable(long revision) {
        if (durable < revision) {
            try {
                journal.recordDurable(revision);
            } catch (IOException e) {
                if (!DiskError.of(e, file).isTemporary()) {
                    throw broken(e);
                }
            }
            durable = revision;
        }
    }

    private void append(List<Change> changes) throws IOException, SQLException {
        if (!journal.append(new WriteAheadLogFrame(durable, changes))) {
            settle();
            sync();
            turn();
            journal.append(new WriteAheadLogFrame(durable, changes));
        }
        for (var change : changes) {
            // Without what was before, which must not be held for so long.
            var lean = new Change(change.type(), change.entry(), Optional.empty());
            fresh.putLast(change.entry().key(), lean);
        }
    }

    private void writeThrough(List<Change> changes) throws SQLException {
        settle();
        // The header of the generation that is written to may still be lost.
        var durableGeneration = journal.generation() - 1;
        carry(fresh, durableGeneration);
        fresh.clear();
        database.write(changes, durableGeneration);
        setDurable(changes.getLast().revision());
    }

    private synchronized void turn() throws IOException {
        var generation = journal.generation();
        journal.turn(written);
        leaving = fresh;
        leavingGeneration = generation;
        fresh = new LinkedHashMap<>();
        carrying =
                carrier.submit(() -> {
                    try {
                        carry(leaving, generation);
                    } catch (SQLException e) {
                        if (!DiskError.of(e, file).isTemporary()) {
                            broken(e);
                        }
                        throw e;
                    }
                    return null;
                });
    }

    /// Waits until all but the fresh changes are in the database.
    void settle() throws SQLException {
        try {
            carrying.get();
        } catch (ExecutionException e) {
            refuseIfBroken();
            // Closing takes back what was begun, whatever state that is in.
            database.close();
            database = SqliteFile.open(file, limits.database);
            carry(leaving, leavingGeneration);
            carrying = CompletableFuture.completedFuture(null);
        } catch (InterruptedException e) {
            // This thread is private to the store and is never interrupted.
            throw new IllegalStateException(e);
        }
    }

    private void carry(SequencedMap<ObjectKey, Change> changes, long generation)
            throws SQLException {
        if (!changes.isEmpty()) {
            database.write(List.copyOf(changes.values()), generation);
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
            if (DiskError.of(e, file).isTemporary() && database.revision() <= written) {
                return refusal(e);
            }
        } catch (SQLException again) {
            e.addSuppressed(again);
        }
        return broken(e);
    }

    /// Nothing was written, and later writes may work.
    private StoreException refusal(Exception e) {
        var error = DiskError.of(e, file);
        return new StoreException(
                "the store cannot be written, " + error.reason(),
                ("%s cannot be written: %s (%s). Nothing was written. Free disk space or end what"
                                + " else uses the store; reads go on meanwhile, and writes work"
                                + " again after that")
                        .formatted(file, error.reason(), e.getMessage()),
                e);
    }

    /// Ends writing until the next start: what the process holds and what is on disk may differ.
    synchronized StoreException broken(Throwable e) {
        if (broken.isPresent()) {
            return broken.get();
        }
        var error = DiskError.of(e, file);
        var reason =
                new StoreException(
                        "the store takes no writes until the server is restarted, "
                                + error.reason(),
                        ("%s cannot be written to: %s (%s). Check the disk and start Berth again;"
                                        + " until then nothing is written, and nothing is"
                                        + " acknowledged that may be lost")
                                .formatted(file, error.reason(), e.getMessage()),
                        e);
        LOG.error("{}", reason.getMessage());
        broken = Optional.of(reason);
        return reason;
    }

    /// Leaves everything in the database. The journal stays, since it says how new the database
    /// must be; when this fails, it is replayed at the next start.
    @Override
    public void close() throws SQLException, IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (broken.isEmpty()) {
                settle();
                // Before the database names this generation.
                journal.syncAll();
                carry(fresh, journal.generation());
            }
        } finally {
            carrier.shutdown();
            journal.close();
            database.close();
        }
    }
}
