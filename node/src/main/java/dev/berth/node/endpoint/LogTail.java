package dev.berth.node.endpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;

/// Finds where the last so many lines of a log begin, reading its files from the end. A line that a
/// container printed may be several lines of a file, and begin in the file before.
final class LogTail {

    private static final int BLOCK_BYTES = 64 * 1024;

    private final FileChannel file;
    private final byte[] block = new byte[BLOCK_BYTES];
    private long blockStart;
    private int blockLength;

    /// A place in a log.
    ///
    /// @param file which of its files
    record Start(int file, long position) {}

    /// How far a search came in one file.
    ///
    /// @param left lines that are missing, and are to be found in older files
    private record Found(long position, long left) {}

    private LogTail(FileChannel file) {
        this.file = file;
    }

    /// The place where the last lines begin.
    ///
    /// @param files the oldest first; at least one
    static Start start(List<FileChannel> files, long lines) throws IOException {
        var left = lines;
        for (var i = files.size() - 1; i >= 0; i--) {
            var found = new LogTail(files.get(i)).search(left, isWhole(files, i));
            if (found.left == 0) {
                return new Start(i, found.position);
            }
            left = found.left;
        }
        return new Start(0, 0);
    }

    /// Whether a file begins with the beginning of a line: the last line before it tells.
    private static boolean isWhole(List<FileChannel> files, int file) throws IOException {
        for (var i = file - 1; i >= 0; i--) {
            var older = new LogTail(files.get(i));
            var end = older.afterLineEnd(files.get(i).size());
            if (end > 0) {
                return older.isEnd(older.afterLineEnd(end - 1));
            }
        }
        return true;
    }

    /// @param isWhole true when the file begins with the beginning of a line
    private Found search(long lines, boolean isWhole) throws IOException {
        // A line that is being written does not count yet.
        var end = afterLineEnd(file.size());
        if (lines == 0) {
            return new Found(end, 0);
        }
        var left = lines;
        while (end > 0) {
            var start = afterLineEnd(end - 1);
            // What goes before decides whether this is a beginning.
            if (start == 0 ? isWhole : isEnd(afterLineEnd(start - 1))) {
                left--;
            }
            if (left == 0) {
                return new Found(start, 0);
            }
            end = start;
        }
        return new Found(0, left);
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
