package dev.berth.server.store.sqlite;

import dev.berth.server.store.Change;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Content of the files of a [WriteAheadLog], checked against each other and the database.
///
/// Three records of what must exist distinguish damage from the normal end of a log: the header of
/// the newer file records where the older one ends, the sync record in the older file records how
/// far the newer one was durable, and each frame records how far the frames before it were durable.
///
/// @param older the file that is or was checkpointed
/// @param newer the file that is written to
record WriteAheadLogFiles(Path store, Part older, Part newer) {

    /// One of the two files.
    ///
    /// @param header its generation, and the newest revision before its first frame
    /// @param durable durable revision of the other file according to this one
    record Part(
            Path file,
            WriteAheadLogSector header,
            long durable,
            List<WriteAheadLogFrame.Located> frames) {

        /// Adds the changes up to a revision that follow those already read.
        private Reached collect(Reached before, long last, List<Change> changes) {
            var reached = new Reached(before.revision, WriteAheadLogSector.PAGE_BYTES);
            for (var located : frames) {
                var frame = located.frame();
                if (frame.last() > last) {
                    break;
                }
                if (frame.last() <= reached.revision) {
                    reached = new Reached(reached.revision, located.end());
                } else if (frame.first() == reached.revision + 1) {
                    changes.addAll(frame.changes());
                    reached = new Reached(frame.last(), located.end());
                } else {
                    break;
                }
            }
            return reached;
        }

        private long synced() {
            return frames.stream().mapToLong(located -> located.frame().synced()).max().orElse(0);
        }
    }

    /// How far the log could be read.
    ///
    /// @param offset of the first byte that was not used
    private record Reached(long revision, long offset) {}

    /// The newest generation.
    long generation() {
        return newer.header.generation();
    }

    /// Whether the creation of a log has not begun or was interrupted. Such a log has no frames.
    static boolean isUnfinished(Path store, UUID id) throws IOException {
        for (var file : WriteAheadLog.files(store)) {
            if (Files.exists(file)) {
                var header =
                        WriteAheadLogSector.read(WriteAheadLogSector.Kind.HEADER, page(file), file);
                if (!header.store().equals(id)
                        || header.generation() > WriteAheadLog.FIRST_GENERATION) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Reads the files of a store, which another process may be writing to. Sync records are read
    /// first, since the frames they cover are in the other file already.
    ///
    /// @param id store ID of the database
    static WriteAheadLogFiles read(Path store, UUID id) throws IOException {
        var files = WriteAheadLog.files(store);
        var pages = new ArrayList<ByteBuffer>();
        for (var file : files) {
            pages.add(page(file));
        }
        var parts = new ArrayList<Part>();
        for (var i = 0; i < files.size(); i++) {
            parts.add(part(files.get(i), i, pages.get(i), id));
        }
        var first = parts.getFirst();
        var second = parts.getLast();
        var isFirstNewer = first.header.generation() > second.header.generation();
        var newer = isFirstNewer ? first : second;
        var older = isFirstNewer ? second : first;
        if (older.header.generation() + 1 != newer.header.generation()) {
            throw StoreDamage.of(
                    older.file,
                    "is outdated: it has generation %d, but %s has generation %d"
                            .formatted(
                                    older.header.generation(),
                                    newer.file,
                                    newer.header.generation()));
        }
        return new WriteAheadLogFiles(store, older, newer);
    }

    private static ByteBuffer page(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            var page = ByteBuffer.allocate(WriteAheadLogSector.PAGE_BYTES);
            while (page.hasRemaining() && channel.read(page) >= 0) {
                // A read may be short.
            }
            if (page.hasRemaining()) {
                throw StoreDamage.at(file, page.position(), "it is cut off within its first page");
            }
            return page.flip();
        } catch (NoSuchFileException e) {
            throw StoreDamage.of(file, "is missing: it is a part of the write-ahead log");
        }
    }

    private static Part part(Path file, int number, ByteBuffer page, UUID id) throws IOException {
        var header = WriteAheadLogSector.read(WriteAheadLogSector.Kind.HEADER, page, file);
        var record = WriteAheadLogSector.read(WriteAheadLogSector.Kind.SYNC_RECORD, page, file);
        if (!header.store().equals(id) || !record.store().equals(id)) {
            throw StoreDamage.of(
                    file,
                    "belongs to the store %s, but the database is %s"
                            .formatted(header.store(), id));
        }
        if (header.generation() % 2 != number) {
            throw StoreDamage.of(file, "is a copy of the other part of the write-ahead log");
        }
        var bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        var frames = WriteAheadLogFrame.read(bytes, header.generation());
        return new Part(file, header, record.revision(), frames);
    }

    /// The changes that a database lacks, in order. When the machine fails, any subset of the
    /// unsynced changes may be lost; the first lost one ends the log.
    ///
    /// @param revision of the database
    /// @param generation up to which the database contains the log
    List<Change> after(long revision, long generation) {
        if (generation > generation()) {
            throw StoreDamage.of(
                    newer.file,
                    "is outdated: it has generation %d, but the database has the changes of"
                                    .formatted(generation())
                            + " generation "
                            + generation);
        }
        if (revision < older.header.revision()) {
            throw StoreDamage.of(
                    store,
                    "is outdated: it has revision %d, but its log begins after revision %d"
                            .formatted(revision, older.header.revision()));
        }
        var changes = new ArrayList<Change>();
        var base = newer.header.revision();
        var reached = older.collect(new Reached(revision, 0), base, changes);
        requireReached(reached, base, older, revision);
        reached = newer.collect(reached, Long.MAX_VALUE, changes);
        var durable = Math.max(newer.synced(), Math.max(older.durable, newer.durable));
        requireReached(reached, durable, newer, revision);
        return changes;
    }

    private void requireReached(Reached reached, long required, Part part, long revision) {
        if (reached.revision < required) {
            throw StoreDamage.ofLog(
                    part.file,
                    reached.offset,
                    "the changes of revisions %d to %d, which were durable, are missing or altered"
                            .formatted(reached.revision + 1, required),
                    store,
                    revision);
        }
    }
}
