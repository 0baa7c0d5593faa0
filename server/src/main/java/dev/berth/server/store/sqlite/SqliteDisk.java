package dev.berth.server.store.sqlite;

import dev.berth.model.file.FileSync;
import dev.berth.server.store.Change;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.StoreException;
import dev.berth.server.store.StoreHealth;
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

/// Durability of a [SqliteStore]: a write-ahead log that takes each change at once, and a database
/// into which the log is checkpointed, many changes at a time. For an object that changed several
/// times since the last checkpoint, the database gets only the last change.
///
/// When the database comes near its maximum size, changes go directly to the database, since only
/// SQLite knows whether they fit.
///
/// One thread writes. Another thread may sync written changes at the same time.
final class SqliteDisk implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteDisk.class);

    /// Upper bound of the growth of the database per byte of the log: objects of an unfavourable
    /// size fill half of their pages.
    private static final long GROWTH = 4;

    private final Path file;
    private final Limits limits;
    private final WriteAheadLog log;
    private final ExecutorService checkpointer =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().name("store-checkpointer").daemon().factory());

    // Changes that are not in the database yet: those in the current log file, and those being
    // checkpointed. During a checkpoint only the checkpointer uses the database.
    private SequencedMap<ObjectKey, Change> uncheckpointed = new LinkedHashMap<>();
    private SequencedMap<ObjectKey, Change> checkpointing = new LinkedHashMap<>();
    private Future<?> checkpoint = CompletableFuture.completedFuture(null);
    private SqliteFile database;

    // Log generation of the changes being checkpointed.
    private long checkpointingGeneration;

    private boolean closed;
    private volatile boolean hasSpace;
    private volatile long written;
    private volatile long durable;
    private volatile Optional<StoreException> broken = Optional.empty();

    private SqliteDisk(
            Path file, Limits limits, WriteAheadLog log, SqliteFile database, long revision)
            throws SQLException {
        this.file = file;
        this.limits = limits;
        this.log = log;
        this.database = database;
        this.written = revision;
        this.durable = revision;
        updateHasSpace();
    }

    /// Size limits.
    ///
    /// @param database maximum size of the database; writes that would exceed it are rejected
    /// @param log maximum size of each file of the write-ahead log
    record Limits(long database, int log) {}

    /// Opens a store that was checked, and checkpoints the changes left in its write-ahead log.
    static SqliteDisk open(
            Path file, Limits limits, SqliteRecovery recovery, WriteAheadLog.Opener opener)
            throws SQLException, IOException {
        var database = SqliteFile.open(file, limits.database);
        try {
            checkpointPending(file, database, recovery);
            var log =
                    WriteAheadLog.open(
                            file,
                            recovery.meta().store(),
                            recovery.generation(),
                            recovery.revision(),
                            limits.log,
                            opener);
            return new SqliteDisk(file, limits, log, database, recovery.revision());
        } catch (SQLException | IOException | RuntimeException e) {
            database.close();
            throw e;
        }
    }

    private static void checkpointPending(Path file, SqliteFile database, SqliteRecovery recovery)
            throws SQLException, IOException {
        var pending = recovery.pending();
        if (pending.isEmpty() && recovery.meta().generation() > 0) {
            return;
        }
        // The database must not name a log generation that can still be lost.
        for (var part : WriteAheadLog.files(file)) {
            FileSync.file(part);
        }
        if (pending.isEmpty()) {
            database.setGeneration(recovery.generation());
        } else {
            database.write(pending, recovery.generation());
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

    /// Writes changes atomically. They are durable after the next sync.
    ///
    /// @throws StoreException if nothing was written; the message says whether later writes can
    ///   succeed
    void write(List<Change> changes) {
        refuseIfBroken();
        try {
            if (hasSpace) {
                append(changes);
            } else {
                writeThrough(changes);
            }
            written = changes.getLast().revision();
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            throw fail(e);
        } catch (IOException e) {
            throw DiskError.of(e, file).isTemporary() ? temporaryFailure(e) : fail(e);
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    private void refuseIfBroken() {
        broken.ifPresent(reason -> {
            throw reason.again();
        });
    }

    /// Makes all changes written before durable. May be called on any thread.
    ///
    /// @throws StoreException if they may or may not be durable; then nothing more can be written
    synchronized void sync() {
        refuseIfBroken();
        var reached = written;
        if (durable < reached) {
            try {
                log.sync();
            } catch (IOException e) {
                throw fail(e);
            }
            setDurable(reached);
        }
    }

    /// Records the durable revision in the write-ahead log before it is acknowledged. On a full
    /// disk the older record stays, which is still true.
    private synchronized void setDurable(long revision) {
        if (durable < revision) {
            try {
                log.recordDurable(revision);
            } catch (IOException e) {
                if (!DiskError.of(e, file).isTemporary()) {
                    throw fail(e);
                }
            }
            durable = revision;
        }
    }

    private void append(List<Change> changes) throws IOException, SQLException {
        if (!log.append(new WriteAheadLogFrame(durable, changes))) {
            awaitCheckpoint();
            sync();
            switchFiles();
            log.append(new WriteAheadLogFrame(durable, changes));
        }
        for (var change : changes) {
            // Without the previous object, which must not be held for so long.
            var lean = new Change(change.type(), change.entry(), Optional.empty());
            uncheckpointed.putLast(change.entry().key(), lean);
        }
    }

    private void writeThrough(List<Change> changes) throws SQLException {
        awaitCheckpoint();
        // The header of the current generation may still be lost.
        var durableGeneration = log.generation() - 1;
        writeCheckpoint(uncheckpointed, durableGeneration);
        uncheckpointed.clear();
        database.write(changes, durableGeneration);
        setDurable(changes.getLast().revision());
    }

    private synchronized void switchFiles() throws IOException {
        var generation = log.generation();
        log.switchFiles(written);
        checkpointing = uncheckpointed;
        checkpointingGeneration = generation;
        uncheckpointed = new LinkedHashMap<>();
        checkpoint =
                checkpointer.submit(() -> {
                    try {
                        writeCheckpoint(checkpointing, generation);
                    } catch (SQLException e) {
                        if (!DiskError.of(e, file).isTemporary()) {
                            fail(e);
                        }
                        throw e;
                    }
                    return null;
                });
    }

    /// Waits until all changes before the current log file are in the database.
    void awaitCheckpoint() throws SQLException {
        try {
            checkpoint.get();
        } catch (ExecutionException e) {
            refuseIfBroken();
            // Closing rolls back the open transaction in any state.
            database.close();
            database = SqliteFile.open(file, limits.database);
            writeCheckpoint(checkpointing, checkpointingGeneration);
            checkpoint = CompletableFuture.completedFuture(null);
        } catch (InterruptedException e) {
            // This thread is private to the store and never interrupted.
            throw new IllegalStateException(e);
        }
    }

    private void writeCheckpoint(SequencedMap<ObjectKey, Change> changes, long generation)
            throws SQLException {
        if (!changes.isEmpty()) {
            database.write(List.copyOf(changes.values()), generation);
            updateHasSpace();
        }
    }

    private void updateHasSpace() throws SQLException {
        hasSpace = database.bytes() + GROWTH * 2 * limits.log <= limits.database;
    }

    private StoreException failure(SQLException e) {
        try {
            database.close();
            database = SqliteFile.open(file, limits.database);
            if (DiskError.of(e, file).isTemporary() && database.revision() <= written) {
                return temporaryFailure(e);
            }
        } catch (SQLException again) {
            e.addSuppressed(again);
        }
        return fail(e);
    }

    /// Error of a write that was not done; later writes may succeed.
    private StoreException temporaryFailure(Exception e) {
        var error = DiskError.of(e, file);
        return new StoreException(
                "the store cannot be written, " + error.reason(),
                ("%s cannot be written: %s (%s). Nothing was written. Free disk space or stop other"
                                + " users of the store; reads continue, and writes work"
                                + " again after that")
                        .formatted(file, error.reason(), e.getMessage()),
                e);
    }

    /// Stops all writes until the next start: memory and disk may differ.
    synchronized StoreException fail(Throwable e) {
        if (broken.isPresent()) {
            return broken.get();
        }
        var error = DiskError.of(e, file);
        var reason =
                new StoreException(
                        "the store accepts no writes until the server is restarted, "
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

    /// Checkpoints everything. The log files stay, since they record how new the database must be;
    /// if the checkpoint fails, they are replayed at the next start.
    @Override
    public void close() throws SQLException, IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (broken.isEmpty()) {
                awaitCheckpoint();
                // Before the database names this generation.
                log.syncAll();
                writeCheckpoint(uncheckpointed, log.generation());
            }
        } finally {
            checkpointer.shutdown();
            log.close();
            database.close();
        }
    }
}
