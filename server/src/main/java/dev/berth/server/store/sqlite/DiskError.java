package dev.berth.server.store.sqlite;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// Causes of failed writes to a file.
enum DiskError {
    /// ENOSPC.
    FULL(true, "the disk is full"),
    /// SQLite reports both with the same code.
    FULL_OR_LIMIT(true, "the disk is full or the store has reached its maximum size"),
    /// EDQUOT.
    QUOTA(true, "the disk quota is exceeded"),
    /// Another process reads the database for longer than a writer waits.
    LOCKED(true, "another process locks the database"),
    /// EROFS. Final: file systems become read-only when they lose writes.
    READ_ONLY(false, "the file system is read-only"),
    /// EACCES and EPERM.
    PERMISSION(false, "permission denied"),
    /// EIO and everything else. Final: the content of the file is unknown.
    IO(false, "I/O error");

    private final boolean temporary;
    private final String reason;

    DiskError(boolean temporary, String reason) {
        this.temporary = temporary;
        this.reason = reason;
    }

    /// Whether writes may work again without a restart.
    boolean isTemporary() {
        return temporary;
    }

    /// Description for clients; contains no path.
    String reason() {
        return reason;
    }

    /// Classifies a failed write or sync.
    ///
    /// @param file the file that was written; its free space identifies a full disk independently
    ///   of the language of messages
    static DiskError of(Throwable failure, Path file) {
        return switch (failure) {
            case SQLiteException e -> of(e.getResultCode());
            case AccessDeniedException _ -> PERMISSION;
            default -> of(String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT), file);
        };
    }

    private static DiskError of(SQLiteErrorCode code) {
        return switch (code) {
            case SQLITE_FULL -> FULL_OR_LIMIT;
            case SQLITE_BUSY,
                    SQLITE_BUSY_RECOVERY,
                    SQLITE_BUSY_SNAPSHOT,
                    SQLITE_BUSY_TIMEOUT,
                    SQLITE_LOCKED ->
                    LOCKED;
            case SQLITE_READONLY, SQLITE_READONLY_DIRECTORY -> READ_ONLY;
            case SQLITE_PERM, SQLITE_AUTH -> PERMISSION;
            default -> IO;
        };
    }

    private static DiskError of(String message, Path file) {
        if (message.contains("no space left") || isFull(file)) {
            return FULL;
        }
        if (message.contains("quota exceeded")) {
            return QUOTA;
        }
        if (message.contains("read-only file system")) {
            return READ_ONLY;
        }
        return message.contains("permission denied") || message.contains("not permitted")
                ? PERMISSION
                : IO;
    }

    private static boolean isFull(Path file) {
        try {
            var directory = file.toAbsolutePath().getParent();
            return directory != null && Files.getFileStore(directory).getUsableSpace() == 0;
        } catch (IOException _) {
            return false;
        }
    }
}
