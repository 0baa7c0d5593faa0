package dev.berth.node.door;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// Finds where the last so many lines of a log file begin, reading it from its end. A line that a
/// container printed may be several lines of the file.
final class LogTail {

    private static final int BLOCK_BYTES = 64 * 1024;

    private final FileChannel file;
    private final byte[] block = new byte[BLOCK_BYTES];
    private long blockStart;
    private int blockLength;

    private LogTail(FileChannel file) {
        this.file = file;
    }

    /// The place in the file.
    static long start(FileChannel file, long lines) throws IOException {
        var tail = new LogTail(file);
        // A line that is being written does not count yet.
        var end = tail.afterLineEnd(file.size());
        if (lines == 0) {
            return end;
        }
        var counted = 0L;
        while (end > 0) {
            var start = tail.afterLineEnd(end - 1);
            // What goes before decides whether this is a beginning.
            if (start == 0 || tail.isEnd(tail.afterLineEnd(start - 1))) {
                counted++;
            }
            if (counted == lines) {
                return start;
            }
            end = start;
        }
        return 0;
    }

    /// The place behind the last end of a line before this place.
    private long afterLineEnd(long before) throws IOException {
        for (var at = before; at > 0; at--) {
            if (byteAt(at - 1) == '\n') {
                return at;
            }
        }
        return 0;
    }

    /// Whether the line of the file that begins there ends what was printed.
    private boolean isEnd(long start) throws IOException {
        var at = start;
        for (var spaces = 0; spaces < 2; at++) {
            var next = byteAt(at);
            if (next == '\n') {
                return true;
            }
            if (next == ' ') {
                spaces++;
            }
        }
        return byteAt(at) != 'P';
    }

    private byte byteAt(long at) throws IOException {
        if (at < blockStart || at >= blockStart + blockLength) {
            load(at);
        }
        return block[(int) (at - blockStart)];
    }

    /// Loads what is around a place, most of it before: that is where the search goes.
    private void load(long at) throws IOException {
        blockStart = Math.max(0, at + BLOCK_BYTES / 8 - BLOCK_BYTES);
        var buffer = ByteBuffer.wrap(block);
        blockLength = 0;
        while (buffer.hasRemaining()) {
            var count = file.read(buffer, blockStart + blockLength);
            if (count < 0) {
                break;
            }
            blockLength += count;
        }
        if (at >= blockStart + blockLength) {
            throw new IOException("the log became shorter while it was read");
        }
    }
}
