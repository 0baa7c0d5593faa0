package dev.berth.server.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Two files beside the database that take changes as they come, which is cheaper than the database
/// by far: writes, and one sync for all of them, of a place that is in the file already.
///
/// One of them is written to, from its start to its end, while what is in the other is carried over
/// into the database. Then they change places, and the new changes are written over the old ones.
/// So whatever is in the files and newer than the database is what the database lacks.
final class Journal implements AutoCloseable {

    /// What is put behind the name of the store.
    static final List<String> PARTS = List.of(".log-0", ".log-1");

    /// How long each of the files becomes, unless more is written at once.
    static final int PART_BYTES = 16 << 20;

    private final List<FileChannel> channels;
    private final int partBytes;
    private final Frame.Buffers buffers = new Frame.Buffers();
    private volatile FileChannel current;
    private int number;
    private long position;

    private Journal(List<FileChannel> channels, int partBytes) {
        this.channels = channels;
        this.partBytes = partBytes;
        this.current = channels.getFirst();
    }

    /// The files of the journal of a store.
    static List<Path> files(Path store) {
        return PARTS.stream().map(part -> Path.of(store + part)).toList();
    }

    /// Opens a journal all of whose changes are in the database, or were given up: what is in the
    /// files must not be read again beside changes of the same revisions.
    ///
    /// @param partBytes how long each file may become
    static Journal open(Path store, int partBytes) throws IOException {
        var channels = new ArrayList<FileChannel>();
        for (var file : files(store)) {
            if (!Files.exists(file)) {
                PrivateFiles.create(file);
            }
            var channel = FileChannel.open(file, StandardOpenOption.WRITE);
            channels.add(channel);
            if (channel.size() > 0) {
                channel.truncate(0);
                channel.force(true);
            }
        }
        PrivateFiles.syncDirectoryOf(store);
        return new Journal(channels, partBytes);
    }

    /// What is in the journal of a store and not in its database, in order.
    ///
    /// @param revision that of the database
    static List<Change> read(Path store, long revision) throws IOException {
        return after(revision, store, frames(store));
    }

    /// All that is whole in the files of a journal.
    static List<Frame> frames(Path store) throws IOException {
        var frames = new ArrayList<Frame>();
        for (var file : files(store)) {
            try {
                frames.addAll(Frame.read(ByteBuffer.wrap(Files.readAllBytes(file))));
            } catch (NoSuchFileException e) {
                // A store that was closed has none.
            }
        }
        return frames;
    }

    /// Of all frames the changes that a database lacks. Frames that were written since the last
    /// sync can be lost one by one when the machine fails, and then the first of them that is ends
    /// the journal; a gap in what was synced is damage.
    static List<Change> after(long revision, Path store, List<Frame> all) {
        var frames = new ArrayList<>(all);
        frames.removeIf(frame -> frame.last() <= revision);
        frames.sort(Comparator.comparingLong(Frame::first));
        var changes = new ArrayList<Change>();
        var newest = revision;
        for (var frame : frames) {
            if (frame.first() != newest + 1) {
                break;
            }
            changes.addAll(frame.changes());
            newest = frame.last();
        }
        var synced = frames.stream().mapToLong(Frame::synced).max().orElse(newest);
        if (synced > newest) {
            throw SqliteFile.damaged(
                    store,
                    "its journal (%s) lacks what came after revision %d"
                            .formatted(String.join(", ", PARTS), newest));
        }
        return changes;
    }

    /// Writes changes, which are durable after the next sync; false when they do not fit, and then
    /// nothing is written.
    boolean append(Frame frame) throws IOException {
        var bytes = frame.bytes(buffers);
        if (position > 0 && position + bytes.limit() > partBytes) {
            return false;
        }
        var end = position + bytes.limit();
        var channel = current;
        for (var at = position; at < end; ) {
            at += channel.write(bytes, at);
        }
        position = end;
        return true;
    }

    /// Makes durable what was written, on any thread. When that fails, it may or may not be, so
    /// nothing may be written after it.
    void sync() throws IOException {
        current.force(false);
    }

    /// Goes on in the other file, what is in which must be in the database. What is in this one
    /// must be synced.
    void turn() {
        number = 1 - number;
        current = channels.get(number);
        position = 0;
    }

    @Override
    public void close() throws IOException {
        for (var channel : channels) {
            channel.close();
        }
    }

    /// Removes the journal of a store whose database has everything.
    static void delete(Path store) throws IOException {
        for (var file : files(store)) {
            Files.deleteIfExists(file);
        }
    }
}
