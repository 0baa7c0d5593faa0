package dev.berth.server.store;

import java.nio.file.Path;

/// Refusals to open a damaged store. Each names the file, the offset, what is wrong and how to
/// recover.
final class StoreDamage {

    private static final String RECOVERY =
            "Restore a backup, which keeps the damaged files beside the restored ones: berth"
                    + " restore FILE";

    private StoreDamage() {}

    /// Content that is not what was written.
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

    /// A backup that was to be restored.
    static StoreException ofBackup(StoreException damage) {
        var said = String.valueOf(damage.getMessage());
        return said.contains(RECOVERY)
                ? new StoreException(
                        said.replace(RECOVERY, "Nothing was changed; restore another backup"),
                        damage)
                : damage;
    }

    /// A file that is missing, outdated or of another store.
    static StoreException of(Path file, String what) {
        return new StoreException("%s %s. %s".formatted(file, what, RECOVERY));
    }

    /// A journal that lacks changes which were acknowledged. The database alone can be restored.
    static StoreException ofJournal(
            Path part, long offset, String what, Path store, long revision) {
        return new StoreException(
                ("%s is damaged at offset %d: %s. %s. To lose the changes after revision %d"
                                + " instead, copy %s alone to another directory and restore that"
                                + " copy")
                        .formatted(part, offset, what, RECOVERY, revision, store));
    }
}
