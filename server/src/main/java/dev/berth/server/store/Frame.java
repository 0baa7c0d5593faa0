package dev.berth.server.store;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/// Changes that were written together, as they are in the [Journal]: a mark, the length, the
/// revision of the first change, a checksum, how far the journal was synced, and the changes, whose
/// revisions follow each other.
///
/// @param synced everything up to this revision was durable before this was written
/// @param changes in order; they do not tell what was before
record Frame(long synced, List<Change> changes) {

    /// Begins with a byte that is in no text, so that no object looks like a frame.
    private static final int MARK = 0xFFB7E1FF;

    private static final int HEADER_BYTES = 20;
    private static final int SYNCED_BYTES = 9;
    private static final int CHANGE_BYTES = 9;
    private static final byte PUT = 0;
    private static final byte REMOVE = 1;
    private static final byte SYNCED = 2;

    long first() {
        return changes.getFirst().revision();
    }

    long last() {
        return changes.getLast().revision();
    }

    /// What this is in a file.
    ByteBuffer bytes(Buffers buffers) {
        var keys = new ArrayList<byte[]>(changes.size());
        var length = SYNCED_BYTES;
        for (var change : changes) {
            var key = StoredKey.text(change.entry().key()).getBytes(StandardCharsets.UTF_8);
            keys.add(key);
            length += CHANGE_BYTES + key.length + value(change).length;
        }
        var bytes = buffers.of(HEADER_BYTES + length);
        bytes.putInt(MARK).putInt(length).putLong(first()).putInt(0);
        bytes.put(SYNCED).putLong(synced);
        for (var i = 0; i < changes.size(); i++) {
            var change = changes.get(i);
            var value = value(change);
            bytes.put(change.type() == Change.Type.DELETED ? REMOVE : PUT);
            bytes.putInt(keys.get(i).length).put(keys.get(i));
            bytes.putInt(value.length).put(value);
        }
        bytes.flip();
        return bytes.putInt(HEADER_BYTES - Integer.BYTES, checksum(bytes));
    }

    private static byte[] value(Change change) {
        return change.type() == Change.Type.DELETED ? new byte[0] : change.entry().bytes();
    }

    /// Of the whole frame without the mark and the checksum itself.
    private static int checksum(ByteBuffer frame) {
        var checksum = new CRC32C();
        checksum.update(frame.slice(Integer.BYTES, HEADER_BYTES - 2 * Integer.BYTES));
        checksum.update(frame.slice(HEADER_BYTES, frame.limit() - HEADER_BYTES));
        return (int) checksum.getValue();
    }

    /// All frames in these bytes that are whole. What is not, such as the end of a frame that was
    /// partly written over, is left out.
    static List<Frame> read(ByteBuffer bytes) {
        var frames = new ArrayList<Frame>();
        var at = 0;
        while (at <= bytes.limit() - HEADER_BYTES) {
            var frame = at(bytes, at);
            if (frame.isPresent()) {
                frames.add(read(frame.get(), frame.get().getLong(2 * Integer.BYTES)));
                at += frame.get().limit();
            } else {
                at++;
            }
        }
        return frames;
    }

    private static Optional<ByteBuffer> at(ByteBuffer bytes, int at) {
        if (bytes.getInt(at) != MARK) {
            return Optional.empty();
        }
        var length = bytes.getInt(at + Integer.BYTES);
        if (length <= 0 || length > bytes.limit() - at - HEADER_BYTES) {
            return Optional.empty();
        }
        var frame = bytes.slice(at, HEADER_BYTES + length);
        var told = frame.getInt(HEADER_BYTES - Integer.BYTES);
        return told == checksum(frame) ? Optional.of(frame) : Optional.empty();
    }

    private static Frame read(ByteBuffer frame, long first) {
        var changes = new ArrayList<Change>();
        frame.position(HEADER_BYTES);
        try {
            // Frames of earlier versions do not tell, and came only after all others were durable.
            var synced = first - 1;
            if (frame.get(HEADER_BYTES) == SYNCED) {
                frame.get();
                synced = frame.getLong();
            }
            while (frame.hasRemaining()) {
                var type = frame.get() == REMOVE ? Change.Type.DELETED : Change.Type.UPDATED;
                var key = StoredKey.parse(new String(array(frame), StandardCharsets.UTF_8));
                var entry = new Entry(key, first + changes.size(), array(frame));
                changes.add(new Change(type, entry, Optional.empty()));
            }
            return new Frame(synced, changes);
        } catch (BufferUnderflowException e) {
            throw new StoreException("the journal at revision " + first + " cannot be read", e);
        }
    }

    private static byte[] array(ByteBuffer frame) {
        var array = new byte[frame.getInt()];
        frame.get(array);
        return array;
    }

    /// Where frames are put together; one at a time.
    static final class Buffers {

        private static final int USUAL_BYTES = 256 << 10;

        private final ByteBuffer usual = ByteBuffer.allocateDirect(USUAL_BYTES);

        private ByteBuffer of(int length) {
            return length <= USUAL_BYTES ? usual.clear() : ByteBuffer.allocateDirect(length);
        }
    }
}
