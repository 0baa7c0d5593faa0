package dev.berth.server.store;

import dev.berth.model.text.FailureText;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/// Copies of a store, and how they come back.
public final class SqliteBackup {

    /// A restored store goes on so far above the revision of the backup, so that it does not give
    /// revisions again that were given after the backup: clients would take other objects for those
    /// that they know.
    public static final long RESTORE_GAP = 1_000_000_000L;

    /// How often a journal is read that looks damaged.
    private static final int READ_TRIES = 5;

    /// What belongs to a store, in the order in which it must be moved away.
    private static final List<String> PARTS =
            List.of("", "-journal", "-wal", "-shm", ".log-0", ".log-1");

    private SqliteBackup() {}

    /// Whether anything of a store is there.
    static boolean isAnyThere(Path store) {
        return PARTS.stream().anyMatch(part -> Files.exists(Path.of(store + part)));
    }

    /// Writes what is in a store now into a new file. The store may be in use, by another process
    /// as well.
    public static void write(Path store, Path target) {
        if (!Files.exists(store)) {
            throw new StoreException("there is no store in " + store + "; nothing was written");
        }
        var unfinished = target.resolveSibling(target.getFileName() + ".unfinished");
        try {
            if (Files.exists(target)) {
                throw new FileAlreadyExistsException(target.toString());
            }
            SqliteFile.createEmpty(unfinished);
            copy(store, unfinished);
            // An atomic move would replace what somebody else has put there meanwhile.
            StoreFiles.sync(unfinished);
            Files.createLink(target, unfinished);
            Files.delete(unfinished);
            StoreFiles.syncDirectoryOf(target);
        } catch (FileAlreadyExistsException e) {
            throw new StoreException(
                    e.getFile() + " exists already; nothing was written. Name a new file", e);
        } catch (SQLException | IOException e) {
            throw new StoreException(
                    "%s could not be written: %s".formatted(target, FailureText.of(e)), e);
        }
    }

    /// Puts a backup in the place of a store that is not in use. What was there stays beside it.
    ///
    /// @return where the old store is now; empty when there was none
    public static Optional<Path> restore(Path backup, Path store) {
        var place = store.toAbsolutePath();
        check(backup);
        var unfinished = place.resolveSibling(place.getFileName() + ".new");
        try {
            StoreFiles.createDirectory(place.resolveSibling(""));
            try (var _ = FileOwner.of(place)) {
                SqliteFile.createEmpty(unfinished);
                copyBackup(backup, unfinished);
                try (var copy = SqliteFile.openAlone(unfinished)) {
                    copy.renew(copy.revision() + RESTORE_GAP);
                }
                var old = moveAside(place);
                StoreFiles.moveIntoPlace(unfinished, place);
                return old;
            }
        } catch (SQLException | IOException e) {
            throw new StoreException(
                    "%s could not be restored to %s: %s"
                            .formatted(backup, place, FailureText.of(e)),
                    e);
        }
    }

    /// A damaged backup is refused without the advice to restore a backup.
    private static void copyBackup(Path backup, Path empty) throws SQLException, IOException {
        try {
            copy(backup, empty);
        } catch (StoreException e) {
            throw StoreDamage.ofBackup(e);
        }
    }

    private static void check(Path backup) {
        if (!Files.exists(backup)) {
            throw new StoreException(backup + " does not exist; nothing was changed");
        }
        try {
            if (!SqliteReader.isStore(backup)) {
                throw new StoreException(
                        backup
                                + " is not a backup of Berth; nothing was changed. berth backup"
                                + " writes backups");
            }
        } catch (IOException e) {
            throw new StoreException("%s; nothing was changed".formatted(FailureText.of(e)), e);
        }
    }

    /// Copies database and journal into one empty file, and checks the copy. The journal is read
    /// first: what is carried over and overwritten meanwhile is in the database, which is read
    /// later.
    private static void copy(Path store, Path empty) throws SQLException, IOException {
        if (SqliteReader.format(store) < SqliteFile.FORMAT) {
            LegacyFormats.write(LegacyFormats.read(store), empty);
            return;
        }
        var journal = journal(store);
        try {
            SqliteFile.copy(store, empty);
            SqliteReader.check(empty);
        } catch (SQLException | StoreException e) {
            // Says which part of the store is damaged, rather than which part of the copy.
            SqliteReader.check(store);
            throw e;
        }
        try (var copy = SqliteFile.openAlone(empty)) {
            var revision = copy.revision();
            var lacking = journal.map(files -> files.after(revision, 0)).orElseGet(List::of);
            copy.stage(lacking);
            copy.commit(lacking.isEmpty() ? revision : lacking.getLast().revision(), 0);
        }
    }

    /// Empty for a backup, and for a database that was copied without its journal.
    private static Optional<WriteAheadLogFiles> journal(Path store)
            throws SQLException, IOException {
        if (WriteAheadLog.files(store).stream().noneMatch(Files::exists)) {
            return Optional.empty();
        }
        for (var triesLeft = READ_TRIES - 1; ; triesLeft--) {
            try {
                var meta = SqliteReader.meta(store);
                var files = WriteAheadLogFiles.read(store, meta.store());
                files.after(meta.revision(), meta.generation());
                return Optional.of(files);
            } catch (StoreException e) {
                // The server wrote to the files while they were read; damage is there again.
                if (triesLeft == 0) {
                    throw e;
                }
            }
        }
    }

    private static Optional<Path> moveAside(Path store) throws IOException {
        if (!isAnyThere(store)) {
            return Optional.empty();
        }
        var aside = aside(store);
        for (var part : PARTS) {
            if (Files.exists(Path.of(store + part))) {
                Files.move(Path.of(store + part), Path.of(aside + part));
            }
        }
        StoreFiles.syncDirectoryOf(store);
        return Optional.of(aside);
    }

    private static Path aside(Path store) {
        var number = 1;
        while (isAnyThere(Path.of(store + ".old-" + number))) {
            number++;
        }
        return Path.of(store + ".old-" + number);
    }
}
