package dev.berth.server.store.sqlite;

import dev.berth.model.file.AtomicFile;
import dev.berth.model.file.FileSync;
import dev.berth.model.file.PrivateDirectory;
import dev.berth.model.text.FailureText;
import dev.berth.server.store.StoreException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/// Backup and restore of a store.
public final class SqliteBackup {

    /// Distance of the revision of a restored store from that of its backup. Without it, the
    /// restored store would reuse revisions that were assigned after the backup, and clients would
    /// take different objects for ones they have cached.
    public static final long RESTORE_GAP = 1_000_000_000L;

    /// Attempts to read a write-ahead log that looks damaged.
    private static final int READ_TRIES = 5;

    /// Suffixes of the files of a store, in the order in which they must be moved away.
    private static final List<String> PARTS =
            List.of("", "-journal", "-wal", "-shm", ".log-0", ".log-1");

    private SqliteBackup() {}

    /// Whether any file of a store exists.
    static boolean anyFileExists(Path store) {
        return PARTS.stream().anyMatch(part -> Files.exists(Path.of(store + part)));
    }

    /// Writes the current content of a store into a new file. The store may be in use, also by
    /// another process.
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
            // An atomic move would replace a file that another process has created meanwhile.
            FileSync.file(unfinished);
            Files.createLink(target, unfinished);
            Files.delete(unfinished);
            FileSync.directoryOf(target);
        } catch (FileAlreadyExistsException e) {
            throw new StoreException(
                    e.getFile() + " exists already; nothing was written. Name a new file", e);
        } catch (SQLException | IOException e) {
            throw new StoreException(
                    "%s could not be written: %s".formatted(target, FailureText.of(e)), e);
        }
    }

    /// Replaces a store that is not in use by a backup. The old files are kept beside it.
    ///
    /// @return path of the old store; empty if there was none
    public static Optional<Path> restore(Path backup, Path store) {
        var path = store.toAbsolutePath();
        check(backup);
        var unfinished = path.resolveSibling(path.getFileName() + ".new");
        try {
            PrivateDirectory.createDurably(path.resolveSibling(""));
            try (var _ = StoreLock.of(path)) {
                SqliteFile.createEmpty(unfinished);
                copyBackup(backup, unfinished);
                try (var copy = SqliteFile.openAlone(unfinished)) {
                    copy.assignNewId(copy.revision() + RESTORE_GAP);
                }
                var old = moveAside(path);
                AtomicFile.install(unfinished, path);
                return old;
            }
        } catch (SQLException | IOException e) {
            throw new StoreException(
                    "%s could not be restored to %s: %s".formatted(backup, path, FailureText.of(e)),
                    e);
        }
    }

    /// Errors about a damaged backup omit the advice to restore a backup.
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

    /// Copies database and write-ahead log into one empty file, and checks the copy. The log is
    /// read first: changes that are checkpointed and overwritten meanwhile are in the database,
    /// which is read later.
    private static void copy(Path store, Path empty) throws SQLException, IOException {
        if (SqliteReader.format(store) < SqliteFile.FORMAT) {
            LegacyFormats.write(LegacyFormats.read(store), empty);
            return;
        }
        var log = log(store);
        try {
            SqliteFile.copy(store, empty);
            SqliteReader.check(empty);
        } catch (SQLException | StoreException e) {
            // Prefer the error that names the damaged file of the store over that of the copy.
            SqliteReader.check(store);
            throw e;
        }
        try (var copy = SqliteFile.openAlone(empty)) {
            var revision = copy.revision();
            var lacking = log.map(files -> files.after(revision, 0)).orElseGet(List::of);
            copy.stage(lacking);
            copy.commit(lacking.isEmpty() ? revision : lacking.getLast().revision(), 0);
        }
    }

    /// Empty for a backup, and for a database that was copied without its write-ahead log.
    private static Optional<WriteAheadLogFiles> log(Path store) throws SQLException, IOException {
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
                // The server wrote to the files during the read. Real damage shows again.
                if (triesLeft == 0) {
                    throw e;
                }
            }
        }
    }

    private static Optional<Path> moveAside(Path store) throws IOException {
        if (!anyFileExists(store)) {
            return Optional.empty();
        }
        var aside = aside(store);
        for (var part : PARTS) {
            if (Files.exists(Path.of(store + part))) {
                Files.move(Path.of(store + part), Path.of(aside + part));
            }
        }
        FileSync.directoryOf(store);
        return Optional.of(aside);
    }

    private static Path aside(Path store) {
        var number = 1;
        while (anyFileExists(Path.of(store + ".old-" + number))) {
            number++;
        }
        return Path.of(store + ".old-" + number);
    }
}
