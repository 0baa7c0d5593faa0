package dev.berth.server.store;

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

    /// What belongs to a file of SQLite, in the order in which it must be moved away.
    private static final List<String> PARTS = List.of("", "-wal", "-shm");

    private SqliteBackup() {}

    static Path log(Path store) {
        return store.resolveSibling(store.getFileName() + "-wal");
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
            Files.deleteIfExists(unfinished);
            PrivateFiles.create(unfinished);
            SqliteFile.copy(store, unfinished);
            // An atomic move would replace what somebody else has put there meanwhile.
            PrivateFiles.sync(unfinished);
            Files.createLink(target, unfinished);
            Files.delete(unfinished);
            PrivateFiles.syncDirectoryOf(target);
        } catch (FileAlreadyExistsException e) {
            throw new StoreException(
                    e.getFile() + " exists already; nothing was written. Name a new file", e);
        } catch (SQLException | IOException e) {
            throw new StoreException(
                    "%s could not be written: %s".formatted(target, e.getMessage()), e);
        }
    }

    /// Puts a backup in the place of a store that nobody uses. What was there stays beside it.
    ///
    /// @return where the old store is now; empty when there was none
    public static Optional<Path> restore(Path backup, Path store) {
        var place = store.toAbsolutePath();
        if (!Files.exists(backup)) {
            throw new StoreException("there is no backup " + backup + "; nothing was changed");
        }
        var content = SqliteFile.read(backup);
        var unfinished = place.resolveSibling(place.getFileName() + ".new");
        try {
            PrivateFiles.createDirectory(place.resolveSibling(""));
            try (var _ = FileOwner.of(place)) {
                for (var part : PARTS) {
                    Files.deleteIfExists(Path.of(unfinished + part));
                }
                PrivateFiles.create(unfinished);
                SqliteFile.copy(backup, unfinished);
                try (var copy = SqliteFile.open(unfinished, SqliteStore.MAXIMUM_BYTES)) {
                    copy.raiseRevision(content.revision() + RESTORE_GAP);
                }
                var old = moveAside(place);
                PrivateFiles.moveIntoPlace(unfinished, place);
                return old;
            }
        } catch (SQLException | IOException e) {
            throw new StoreException(
                    "%s could not be restored to %s: %s".formatted(backup, place, e.getMessage()),
                    e);
        }
    }

    private static Optional<Path> moveAside(Path store) throws IOException {
        if (PARTS.stream().noneMatch(part -> Files.exists(Path.of(store + part)))) {
            return Optional.empty();
        }
        var aside = aside(store);
        for (var part : PARTS) {
            if (Files.exists(Path.of(store + part))) {
                Files.move(Path.of(store + part), Path.of(aside + part));
            }
        }
        PrivateFiles.syncDirectoryOf(store);
        return Optional.of(aside);
    }

    private static Path aside(Path store) {
        var number = 1;
        while (Files.exists(Path.of(store + ".old-" + number))
                || Files.exists(Path.of(store + ".old-" + number + "-wal"))) {
            number++;
        }
        return Path.of(store + ".old-" + number);
    }
}
