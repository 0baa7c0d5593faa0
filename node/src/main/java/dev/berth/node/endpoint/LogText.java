package dev.berth.node.endpoint;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;

/// Formats lines of a log file by the parameters of a log request. It keeps track of unfinished
/// lines and the byte limit.
final class LogText {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'")
                    .withZone(ZoneOffset.UTC);

    private final LogQuery query;
    private long bytesLeft;
    private boolean atLineStart = true;

    LogText(LogQuery query) {
        this.query = query;
        this.bytesLeft = query.limitBytes().orElse(Long.MAX_VALUE);
    }

    /// The text of a line of the file; empty if it is too old. A line in another format than CRI is
    /// shown unchanged, to help with debugging.
    byte[] of(byte[] line) {
        var read = LogLine.parse(line);
        if (read.isEmpty()) {
            return limited(ended(line));
        }
        var one = read.get();
        if (query.since().isPresent() && one.time().isBefore(query.since().get())) {
            return new byte[0];
        }
        var out = new ByteArrayOutputStream(one.text().length + 32);
        if (query.hasTimes() && atLineStart) {
            out.writeBytes((TIME.format(one.time()) + " ").getBytes(StandardCharsets.US_ASCII));
        }
        out.writeBytes(one.text());
        if (one.isEnd()) {
            out.write('\n');
        }
        atLineStart = one.isEnd();
        return limited(out.toByteArray());
    }

    /// True if the byte limit is reached.
    boolean isFull() {
        return bytesLeft == 0;
    }

    private static byte[] ended(byte[] line) {
        var whole = Arrays.copyOf(line, line.length + 1);
        whole[line.length] = '\n';
        return whole;
    }

    private byte[] limited(byte[] text) {
        var length = (int) Math.min(text.length, bytesLeft);
        bytesLeft -= length;
        return length == text.length ? text : Arrays.copyOf(text, length);
    }
}
