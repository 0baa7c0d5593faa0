package dev.berth.server.store.sqlite;

import dev.berth.server.store.Change;
import dev.berth.server.store.Entry;
import dev.berth.server.store.StoreException;
import dev.berth.server.store.StoredKey;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/// Changes that were written together, as stored in the [WriteAheadLog]: a magic number, the
/// length, the generation of the log file, the revision of the first change, a checksum, how far
/// the log was synced, and the changes, whose revisions are consecutive.
///
/// @param synced everything up to this revision was durable before this frame was written
/// @param changes in order, without the previous state of their objects
record WriteAheadLogFrame(long synced, List<Change> changes) {

    /// Begins with a byte that occurs in no UTF-8 text, so that no object looks like a frame.
    private static final int MARK = 0xFFB7E2FF;

    private static final int LENGTH_AT = 4;
    private static final int GENERATION_AT = 8;
    private static final int REVISION_AT = 16;
    private static final int CHECKSUM_AT = 24;
    private static final int HEADER_BYTES = 28;
    private static final int CHANGE_BYTES = 9;
    private static final byte PUT = 0;
    private static final byte REMOVE = 1;

    /// A frame and its end in a file.
    ///
    /// @param end offset of the byte after it
    record Located(WriteAheadLogFrame frame, int end) {}

    long first() {
        return changes.getFirst().revision();
    }

    long last() {
        return changes.getLast().revision();
    }

    /// Serialized form in a file of the generation.
    ByteBuffer bytes(Buffers buffers, long generation) {
        var keys = new ArrayList<byte[]>(changes.size());
        var length = Long.BYTES;
        for (var change : changes) {
            var key = StoredKey.text(change.entry().key()).getBytes(StandardCharsets.UTF_8);
            keys.add(key);
            length += CHANGE_BYTES + key.length + value(change).length;
        }
        var bytes = buffers.of(HEADER_BYTES + length);
        bytes.putInt(MARK).putInt(length).putLong(generation).putLong(first()).putInt(0);
        bytes.putLong(synced);
        for (var i = 0; i < changes.size(); i++) {
            var change = changes.get(i);
            var value = value(change);
            bytes.put(change.type() == Change.Type.DELETED ? REMOVE : PUT);
            bytes.putInt(keys.get(i).length).put(keys.get(i));
            bytes.putInt(value.length).put(value);
        }
        bytes.flip();
        return bytes.putInt(CHECKSUM_AT, checksum(bytes));
    }

    private static byte[] value(Change change) {
        return change.type() == Change.Type.DELETED ? new byte[0] : change.entry().bytes();
    }

    /// Checksum of the whole frame without the magic number and the checksum itself.
    private static int checksum(ByteBuffer frame) {
        var checksum = new CRC32C();
        checksum.update(frame.slice(LENGTH_AT, CHECKSUM_AT - LENGTH_AT));
        checksum.update(frame.slice(HEADER_BYTES, frame.limit() - HEADER_BYTES));
        return (int) checksum.getValue();
    }

    /// All frames of a generation in a file with a correct checksum, in file order. Frames of
    /// earlier generations that were not overwritten yet are skipped.
    static List<Located> read(ByteBuffer file, long generation) {
        var frames = new ArrayList<Located>();
        var at = WriteAheadLogSector.PAGE_BYTES;
        while (at <= file.limit() - HEADER_BYTES) {
            var bytes = at(file, at);
            if (bytes.isEmpty()) {
                at++;
                continue;
            }
            at += bytes.get().limit();
            if (bytes.get().getLong(GENERATION_AT) == generation) {
                frames.add(new Located(parse(bytes.get()), at));
            }
        }
        return frames;
    }

    private static Optional<ByteBuffer> at(ByteBuffer file, int at) {
        if (file.getInt(at) != MARK) {
            return Optional.empty();
        }
        var length = file.getInt(at + LENGTH_AT);
        if (length <= 0 || length > file.limit() - at - HEADER_BYTES) {
            return Optional.empty();
        }
        var frame = file.slice(at, HEADER_BYTES + length);
        return frame.getInt(CHECKSUM_AT) == checksum(frame) ? Optional.of(frame) : Optional.empty();
    }

    private static WriteAheadLogFrame parse(ByteBuffer frame) {
        var changes = new ArrayList<Change>();
        var first = frame.getLong(REVISION_AT);
        frame.position(HEADER_BYTES);
        try {
            var synced = frame.getLong();
            while (frame.hasRemaining()) {
                var type = frame.get() == REMOVE ? Change.Type.DELETED : Change.Type.UPDATED;
                var key = StoredKey.parse(new String(array(frame), StandardCharsets.UTF_8));
                var entry = new Entry(key, first + changes.size(), array(frame));
                changes.add(new Change(type, entry, Optional.empty()));
            }
            return new WriteAheadLogFrame(synced, changes);
        } catch (BufferUnderflowException e) {
            throw new StoreException(
                    "the write-ahead log at revision " + first + " cannot be read", e);
        }
    }

    private static byte[] array(ByteBuffer frame) {
        var array = new byte[frame.getInt()];
        frame.get(array);
        return array;
    }

    /// Buffers for [WriteAheadLogFrame#bytes]; each call invalidates the result of the previous
    /// one.
    static final class Buffers {

        private static final int USUAL_BYTES = 256 << 10;

        private final ByteBuffer usual = ByteBuffer.allocateDirect(USUAL_BYTES);

        private ByteBuffer of(int length) {
            return length <= USUAL_BYTES ? usual.clear() : ByteBuffer.allocateDirect(length);
        }
    }
}
