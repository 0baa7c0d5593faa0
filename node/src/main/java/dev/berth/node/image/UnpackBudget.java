package dev.berth.node.image;

import java.io.IOException;
import java.io.InputStream;

/// Counts unpacked bytes and entries against the limits of an import. It counts the bytes that come
/// out of the decompression, whatever headers say, and every entry and directory that is created.
final class UnpackBudget {

    private final ImportLimits limits;
    private long bytes;
    private long entries;

    UnpackBudget(ImportLimits limits) {
        this.limits = limits;
    }

    void addEntries(long count) throws InvalidImageException {
        entries += count;
        if (entries > limits.maxEntries()) {
            throw new InvalidImageException(
                    "it has more than %d files, directories and links; allow more with"
                                    .formatted(limits.maxEntries())
                            + " --max-entries");
        }
    }

    private void addBytes(long count) throws InvalidImageException {
        bytes += count;
        if (bytes > limits.maxBytes()) {
            throw new InvalidImageException(
                    "unpacked it has more than %d bytes; allow more with --max-unpacked-size"
                            .formatted(limits.maxBytes()));
        }
    }

    /// A stream that fails when the limit is exceeded.
    InputStream counted(InputStream input) {
        // InputStream skips by reading: skipped bytes count, and are part of digests.
        return new InputStream() {
            @Override
            public int read() throws IOException {
                var one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                var count = input.read(into, offset, length);
                addBytes(Math.max(0, count));
                return count;
            }
        };
    }
}
