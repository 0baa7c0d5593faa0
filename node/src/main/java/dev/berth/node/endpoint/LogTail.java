package dev.berth.node.endpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;

/// Finds the start of the last lines of a log, reading its files backwards. A line that a container
/// printed may be several lines of a file, and may begin in the file before.
final class LogTail {

    private static final int BLOCK_BYTES = 64 * 1024;

    private final FileChannel file;
    private final byte[] block = new byte[BLOCK_BYTES];
    private long blockStart;
    private int blockLength;

    /// A position in a log.
    ///
    /// @param file index of the file
    record Start(int file, long position) {}

    /// Result of the search in one file.
    ///
    /// @param left number of lines to find in older files
    private record Found(long position, long left) {}

    private LogTail(FileChannel file) {
        this.file = file;
    }

    /// The position where the last lines begin.
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

    /// True if a file starts with the start of a printed line, which depends on the last line of
    /// the file before.
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

    /// @param isWhole true if the file starts with the start of a printed line
    private Found search(long lines, boolean isWhole) throws IOException {
        // A line that is being written does not count yet.
        var end = afterLineEnd(file.size());
        if (lines == 0) {
            return new Found(end, 0);
        }
        var left = lines;
        while (end > 0) {
            var start = afterLineEnd(end - 1);
            // The line before decides whether this is the start of a printed line.
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

    /// The position after the last line end before this position.
    private long afterLineEnd(long before) throws IOException {
        for (var at = before; at > 0; at--) {
            if (byteAt(at - 1) == '\n') {
                return at;
            }
        }
        return 0;
    }

    /// True if the line of the file that begins there ends a printed line.
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

    /// Loads a block around a position, most of it before: the search moves backwards.
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
            throw new IOException("the log was truncated while it was read");
        }
    }
}
