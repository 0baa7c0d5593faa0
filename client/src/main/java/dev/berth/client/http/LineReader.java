package dev.berth.client.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/// Reads a stream line by line, as bytes.
final class LineReader {

    /// Limit of a watch event: etcd stores no object a tenth as large.
    static final int MAX_BYTES = 32 << 20;

    private final InputStream source;
    private final byte[] buffer = new byte[1 << 16];
    private int from;
    private int to;

    LineReader(InputStream source) {
        this.source = source;
    }

    /// The next line that is not empty; empty at the end. A truncated last line is dropped.
    Optional<byte[]> next() throws IOException {
        var line = new ByteArrayOutputStream();
        while (true) {
            if (from == to) {
                from = 0;
                to = source.read(buffer, 0, buffer.length);
                if (to < 0) {
                    to = 0;
                    return Optional.empty();
                }
            }
            var end = from;
            while (end < to && buffer[end] != '\n') {
                end++;
            }
            line.write(buffer, from, end - from);
            if (line.size() > MAX_BYTES) {
                throw new IOException("an event of more than " + MAX_BYTES + " bytes");
            }
            var complete = end < to;
            from = complete ? end + 1 : end;
            if (complete && line.size() > 0) {
                return Optional.of(line.toByteArray());
            }
        }
    }
}
