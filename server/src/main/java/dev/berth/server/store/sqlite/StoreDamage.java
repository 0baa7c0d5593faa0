package dev.berth.server.store.sqlite;

import dev.berth.server.store.StoreException;
import java.nio.file.Path;

/// Errors about damaged stores. Each names the file, the offset, the problem and how to recover.
final class StoreDamage {

    private static final String RECOVERY =
            "Restore a backup, which keeps the damaged files beside the restored ones: berth"
                    + " restore FILE";

    private StoreDamage() {}

    /// Content that differs from what was written.
    static StoreException at(Path file, long offset, String what) {
        return new StoreException(
                "%s is damaged at offset %d: %s. %s".formatted(file, offset, what, RECOVERY));
    }

    /// Content that SQLite cannot read.
    static StoreException at(Path file, long offset, String what, Throwable cause) {
        return new StoreException(
                "%s is damaged at offset %d: %s. %s".formatted(file, offset, what, RECOVERY),
                cause);
    }

    /// Rewords the error about a damaged file when that file is the backup to restore.
    static StoreException ofBackup(StoreException damage) {
        var message = String.valueOf(damage.getMessage());
        return message.contains(RECOVERY)
                ? new StoreException(
                        message.replace(RECOVERY, "Nothing was changed; restore another backup"),
                        damage)
                : damage;
    }

    /// A file that is missing, outdated or of another store.
    static StoreException of(Path file, String what) {
        return new StoreException("%s %s. %s".formatted(file, what, RECOVERY));
    }

    /// A write-ahead log that lacks acknowledged changes. The database alone can be restored.
    static StoreException ofLog(Path part, long offset, String what, Path store, long revision) {
        return new StoreException(
                ("%s is damaged at offset %d: %s. %s. To lose the changes after revision %d"
                                + " instead, copy %s alone to another directory and restore that"
                                + " copy")
                        .formatted(part, offset, what, RECOVERY, revision, store));
    }
}
