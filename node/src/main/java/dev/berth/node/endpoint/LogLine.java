package dev.berth.node.endpoint;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Optional;

/// One line of a log file in the CRI format: `TIME STREAM TAG TEXT`. The tag is `F` for the last
/// part of a line that a container printed and `P` for a part that is continued.
///
/// @param text without the end of the line
// Equality is not used.
@SuppressWarnings("ArrayRecordComponent")
record LogLine(Instant time, boolean isEnd, byte[] text) {

    private static final int HEAD_PARTS = 3;

    /// Parses a line of the file, without its line end; empty for other formats.
    static Optional<LogLine> parse(byte[] line) {
        var spaces = new int[HEAD_PARTS];
        var found = 0;
        for (var i = 0; i < line.length && found < HEAD_PARTS; i++) {
            if (line[i] == ' ') {
                spaces[found++] = i;
            }
        }
        if (found == HEAD_PARTS - 1) {
            // Some runtimes omit the space if there is no text.
            spaces[found++] = line.length;
        }
        if (found < HEAD_PARTS) {
            return Optional.empty();
        }
        var stream = field(line, spaces[0] + 1, spaces[1]);
        if (!stream.equals("stdout") && !stream.equals("stderr")) {
            return Optional.empty();
        }
        var tags = field(line, spaces[1] + 1, spaces[2]);
        var isEnd = !tags.equals("P") && !tags.startsWith("P:");
        var text = Arrays.copyOfRange(line, Math.min(spaces[2] + 1, line.length), line.length);
        try {
            var time = OffsetDateTime.parse(field(line, 0, spaces[0])).toInstant();
            return Optional.of(new LogLine(time, isEnd, text));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    private static String field(byte[] line, int from, int to) {
        return new String(line, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
