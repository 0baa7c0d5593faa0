package dev.berth.server.store.sqlite;

import dev.berth.model.file.AtomicFile;
import dev.berth.model.file.PrivateFile;
import dev.berth.server.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// The write-ahead log of a store: two files beside the database to which changes are appended.
/// Appending to a file and syncing it once for many changes is far cheaper than a SQLite
/// transaction.
///
/// One file is written from its start to its end while the other one is checkpointed into the
/// database. Then the files swap roles, and new changes overwrite old ones. Each swap begins a new
/// generation, which is stored in the header of the file and in each of its frames.
///
/// After each sync of the current file, the durable revision is written into the other file, before
/// anything is acknowledged. That sync record is not synced itself: it survives the end of the
/// process, and when the machine fails it is the older record at worst. It distinguishes a damaged
/// end of the log (an error) from a write that was cut off (never acknowledged, ignored).
///
/// [WriteAheadLogFiles] reads and checks the files.
final class WriteAheadLog implements AutoCloseable {

    /// Suffixes of the files. A generation is in the file of its parity.
    static final List<String> PARTS = List.of(".log-0", ".log-1");

    /// Size at which a file is full, unless one batch of changes is larger.
    static final int PART_BYTES = 16 << 20;

    /// The newer of the two generations of a new log. They have no frames.
    static final long FIRST_GENERATION = 2;

    private final UUID store;
    private final List<FileChannel> channels;
    private final int partBytes;
    private final WriteAheadLogFrame.Buffers buffers = new WriteAheadLogFrame.Buffers();
    private final ByteBuffer sector = ByteBuffer.allocateDirect(WriteAheadLogSector.BYTES);
    private volatile long generation;
    private long position;

    private WriteAheadLog(UUID store, List<FileChannel> channels, int partBytes, long generation) {
        this.store = store;
        this.channels = channels;
        this.partBytes = partBytes;
        this.generation = generation;
    }

    /// Opens a log file for writing. Tests use it to inject I/O errors.
    interface Opener {

        Opener DEFAULT = file -> FileChannel.open(file, StandardOpenOption.WRITE);

        FileChannel open(Path file) throws IOException;
    }

    /// The log files of a store.
    static List<Path> files(Path store) {
        return PARTS.stream().map(part -> Path.of(store + part)).toList();
    }

    static Path file(Path store, long generation) {
        return files(store).get((int) (generation % 2));
    }

    /// Creates a log without frames. The files appear complete or not at all.
    ///
    /// @param revision of the database
    static void create(Path store, UUID id, long revision) throws IOException {
        for (var generation = FIRST_GENERATION - 1; generation <= FIRST_GENERATION; generation++) {
            var file = file(store, generation);
            var unfinished = Path.of(file + ".new");
            Files.deleteIfExists(unfinished);
            PrivateFile.create(unfinished);
            var content = new WriteAheadLogSector(id, generation, revision);
            var page = ByteBuffer.allocate(WriteAheadLogSector.PAGE_BYTES);
            for (var kind : WriteAheadLogSector.Kind.values()) {
                content.write(kind, page.slice(kind.at(), WriteAheadLogSector.BYTES));
            }
            Files.write(unfinished, page.array());
            AtomicFile.install(unfinished, file);
        }
    }

    /// Opens a log whose changes are all in the database for writing, and begins a new generation.
    ///
    /// @param generation the newest in the files
    /// @param revision of the database
    /// @param partBytes size at which a file is full
    static WriteAheadLog open(
            Path file, UUID store, long generation, long revision, int partBytes, Opener opener)
            throws IOException {
        var channels = new ArrayList<FileChannel>();
        try {
            for (var part : files(file)) {
                channels.add(opener.open(part));
            }
            var log = new WriteAheadLog(store, channels, partBytes, generation);
            log.switchFiles(revision);
            return log;
        } catch (IOException e) {
            for (var channel : channels) {
                channel.close();
            }
            throw e;
        }
    }

    /// The current generation.
    long generation() {
        return generation;
    }

    /// Appends changes, which are durable after the next sync; false if they do not fit, in which
    /// case nothing is written. After a failure nothing counts as written, and the next call writes
    /// to the same offset.
    boolean append(WriteAheadLogFrame frame) throws IOException {
        var bytes = encoded(frame);
        if (position > WriteAheadLogSector.PAGE_BYTES && position + bytes.limit() > partBytes) {
            return false;
        }
        var end = position + bytes.limit();
        writeFully(channel(generation), bytes, position);
        position = end;
        return true;
    }

    /// Encodes a frame. Large frames need memory; nothing has been written if it is missing, so
    /// later writes may succeed.
    private ByteBuffer encoded(WriteAheadLogFrame frame) {
        try {
            return frame.bytes(buffers, generation);
        } catch (OutOfMemoryError e) {
            var reason = "the store cannot be written, the server is out of memory";
            throw new StoreException(reason, reason + "; nothing was written", e);
        }
    }

    /// Makes appended changes durable. After a failure they may or may not be durable, so nothing
    /// may be appended any more.
    void sync() throws IOException {
        channel(generation).force(false);
    }

    /// Records in the other file that everything up to the revision is durable. Not thread-safe.
    void recordDurable(long revision) throws IOException {
        var current = generation;
        var content = new WriteAheadLogSector(store, current, revision);
        writeSector(channel(current + 1), WriteAheadLogSector.Kind.SYNC_RECORD, content);
    }

    /// Switches to the other file, whose content must be in the database. The content of the
    /// current file must be durable.
    ///
    /// @param revision the newest that was written
    void switchFiles(long revision) throws IOException {
        var next = generation + 1;
        var content = new WriteAheadLogSector(store, next, revision);
        writeSector(channel(next), WriteAheadLogSector.Kind.HEADER, content);
        position = WriteAheadLogSector.PAGE_BYTES;
        generation = next;
    }

    private FileChannel channel(long ofGeneration) {
        return channels.get((int) (ofGeneration % 2));
    }

    private void writeSector(
            FileChannel channel, WriteAheadLogSector.Kind kind, WriteAheadLogSector content)
            throws IOException {
        content.write(kind, sector);
        writeFully(channel, sector, kind.at());
    }

    private static void writeFully(FileChannel channel, ByteBuffer bytes, long from)
            throws IOException {
        for (var at = from; bytes.hasRemaining(); ) {
            at += channel.write(bytes, at);
        }
    }

    /// Makes both files durable, with their headers and sync records.
    void syncAll() throws IOException {
        for (var channel : channels) {
            channel.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        for (var channel : channels) {
            channel.close();
        }
    }
}
