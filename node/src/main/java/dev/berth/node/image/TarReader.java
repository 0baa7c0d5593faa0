package dev.berth.node.image;

import dev.berth.node.image.TarEntry.Kind;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Streaming reader of tar archives: POSIX with and without extended headers, and GNU.
final class TarReader {

    private static final int BLOCK = 512;

    /// Maximum length of a name or extended header, against hostile archives.
    private static final int MAX_HEADER = 1 << 20;

    private static final int PERMISSIONS = 07777;

    private final InputStream input;
    private long unread;
    private long padding;

    TarReader(InputStream input) {
        this.input = input;
    }

    /// The next member; empty at the end.
    Optional<TarEntry> next() throws IOException {
        var extended = new HashMap<String, String>();
        while (true) {
            skipContent();
            var block = input.readNBytes(BLOCK);
            if (block.length == 0 || isZero(block)) {
                return Optional.empty();
            }
            if (block.length < BLOCK) {
                throw new InvalidImageException("the archive is truncated within a header");
            }
            check(block);
            var size = number(block, 124, 12);
            begin(size);
            switch (block[156]) {
                case 'x' -> extended.putAll(records(wholeContent(size)));
                // Global headers do not affect unpacking.
                case 'g' -> skipContent();
                case 'L' -> extended.put("path", text(wholeContent(size)));
                case 'K' -> extended.put("linkpath", text(wholeContent(size)));
                default -> {
                    return Optional.of(entry(block, extended));
                }
            }
        }
    }

    /// The content of the last member.
    InputStream content() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                var one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                if (unread == 0) {
                    return -1;
                }
                var read = input.read(bytes, offset, (int) Math.min(length, unread));
                if (read < 0) {
                    throw new InvalidImageException("the archive is truncated within a file");
                }
                unread -= read;
                return read;
            }
        };
    }

    private void begin(long size) throws InvalidImageException {
        if (size < 0) {
            throw new InvalidImageException("the archive has a member of %d bytes".formatted(size));
        }
        unread = size;
        padding = (BLOCK - size % BLOCK) % BLOCK;
    }

    private void skipContent() throws IOException {
        try {
            input.skipNBytes(unread + padding);
        } catch (EOFException _) {
            throw new InvalidImageException("the archive is truncated within a file");
        }
        unread = 0;
        padding = 0;
    }

    private byte[] wholeContent(long size) throws IOException {
        if (size > MAX_HEADER) {
            throw new InvalidImageException(
                    "the archive has a header of %d bytes, more than %d"
                            .formatted(size, MAX_HEADER));
        }
        return content().readAllBytes();
    }

    private TarEntry entry(byte[] block, Map<String, String> extended) throws IOException {
        if (extended.keySet().stream().anyMatch(key -> key.startsWith("GNU.sparse"))) {
            throw sparse();
        }
        if (extended.containsKey("size")) {
            begin(whole(extended.get("size")));
        }
        var prefix = isPosix(block) ? text(block, 345, 155) : "";
        var shortName = text(block, 0, 100);
        var name = prefix.isEmpty() ? shortName : prefix + "/" + shortName;
        var kind = kind(block[156], extended.getOrDefault("path", name));
        if (kind != Kind.FILE) {
            skipContent();
        }
        return new TarEntry(
                extended.getOrDefault("path", name),
                kind,
                extended.getOrDefault("linkpath", text(block, 157, 100)),
                (int) number(block, 100, 8) & PERMISSIONS,
                (int) extendedOr(extended, "uid", number(block, 108, 8)),
                (int) extendedOr(extended, "gid", number(block, 116, 8)),
                unread,
                Instant.ofEpochSecond(extendedOr(extended, "mtime", number(block, 136, 12))));
    }

    private static Kind kind(byte flag, String name) throws InvalidImageException {
        return switch (flag) {
            // Old archives mark directories only by their names.
            case '0', 0, '7' -> name.endsWith("/") ? Kind.DIRECTORY : Kind.FILE;
            case '1' -> Kind.HARD_LINK;
            case '2' -> Kind.SYMBOLIC_LINK;
            case '3', '4' -> Kind.DEVICE;
            case '5' -> Kind.DIRECTORY;
            case '6' -> Kind.PIPE;
            case 'S' -> throw sparse();
            default ->
                    throw new InvalidImageException(
                            "%s has type '%c', which images do not support"
                                    .formatted(name, (char) flag));
        };
    }

    private static InvalidImageException sparse() {
        return new InvalidImageException(
                "the archive has sparse files; write it without (tar: no -S)");
    }

    private static long extendedOr(Map<String, String> extended, String key, long other)
            throws InvalidImageException {
        var value = extended.get(key);
        return value == null ? other : whole(value);
    }

    private static long whole(String value) throws InvalidImageException {
        var dot = value.indexOf('.');
        try {
            return Long.parseLong(dot < 0 ? value : value.substring(0, dot));
        } catch (NumberFormatException _) {
            throw new InvalidImageException(
                    "the archive has the invalid number \"%s\"".formatted(value));
        }
    }

    /// Records such as `30 mtime=1350244992.023960108\n`; the number is the length of the whole
    /// record.
    private static Map<String, String> records(byte[] content) throws InvalidImageException {
        var records = new HashMap<String, String>();
        var at = 0;
        while (at < content.length) {
            var space = at;
            while (space < content.length && content[space] != ' ') {
                space++;
            }
            var length = whole(new String(content, at, space - at, StandardCharsets.US_ASCII));
            var end = at + length;
            if (length <= space - at + 1 || end > content.length) {
                throw new InvalidImageException("the archive has a damaged extended header");
            }
            var record =
                    new String(content, space + 1, (int) end - space - 2, StandardCharsets.UTF_8);
            var equals = record.indexOf('=');
            if (equals > 0) {
                records.put(record.substring(0, equals), record.substring(equals + 1));
            }
            at = (int) end;
        }
        return records;
    }

    private static void check(byte[] block) throws InvalidImageException {
        var sum = 0L;
        for (var i = 0; i < BLOCK; i++) {
            sum += i >= 148 && i < 156 ? ' ' : block[i] & 0xff;
        }
        if (sum != number(block, 148, 8)) {
            throw new InvalidImageException(
                    "it is not a tar archive, or a damaged one: a checksum is wrong");
        }
    }

    /// Octal digits, or a binary number if the first bit is set.
    private static long number(byte[] block, int offset, int length) throws InvalidImageException {
        if ((block[offset] & 0x80) != 0) {
            var value = (long) (block[offset] & 0x7f);
            for (var i = 1; i < length; i++) {
                value = (value << 8) | (block[offset + i] & 0xff);
            }
            return value;
        }
        var digits = text(block, offset, length).strip();
        try {
            return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
        } catch (NumberFormatException _) {
            throw new InvalidImageException(
                    "it is not a tar archive, or a damaged one: a number is wrong");
        }
    }

    private static boolean isPosix(byte[] block) {
        // GNU writes two spaces after the magic, and other fields in place of the prefix.
        return Arrays.equals(block, 257, 263, new byte[] {'u', 's', 't', 'a', 'r', 0}, 0, 6);
    }

    private static boolean isZero(byte[] block) {
        for (var one : block) {
            if (one != 0) {
                return false;
            }
        }
        return true;
    }

    private static String text(byte[] block, int offset, int length) {
        return text(Arrays.copyOfRange(block, offset, offset + length));
    }

    private static String text(byte[] bytes) {
        var end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }
}
