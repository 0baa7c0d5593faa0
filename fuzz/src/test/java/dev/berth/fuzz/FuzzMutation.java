package dev.berth.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;

/// Mutates seed inputs; deterministic for a seed.
final class FuzzMutation {

    private static final int MAX_CHANGES = 4;
    private static final int MAX_CHUNK = 40;
    private static final int MAX_REPEATS = 300;

    /// Words, single punctuation characters, and whitespace.
    private static final Pattern TOKEN = Pattern.compile("\\w+|[^\\w\\s]|\\s+");

    private static final List<String> EDGES =
            List.of(
                    "0",
                    "-1",
                    "9223372036854775808",
                    "1e400",
                    "0x7fffffffffffffff",
                    "null",
                    "''",
                    "[]",
                    "{}",
                    "\u0000",
                    "\uD83D\uDE80",
                    "\\u0000",
                    "\n");

    private final List<byte[]> known;
    private final Random random;

    FuzzMutation(List<byte[]> known, long seed) {
        this.known = known;
        this.random = new Random(seed);
    }

    byte[] next() {
        var input = pick();
        for (var changes = 1 + random.nextInt(MAX_CHANGES); changes > 0; changes--) {
            input = changed(input);
        }
        return input;
    }

    private byte[] pick() {
        return known.get(random.nextInt(known.size()));
    }

    private byte[] changed(byte[] input) {
        var from = random.nextInt(input.length + 1);
        var to = Math.min(input.length, from + random.nextInt(MAX_CHUNK));
        return switch (random.nextInt(7)) {
            case 0 -> spliced(input, from, to, new byte[0], 1);
            case 1 -> spliced(input, from, from, chunkOf(input, from, to), 2);
            case 2 -> spliced(input, from, from, token(), 1 + random.nextInt(MAX_REPEATS));
            case 3 -> spliced(input, from, to, token(), 1);
            case 4 -> spliced(input, from, Math.min(input.length, from + 1), noise(), 1);
            case 5 -> swapped(input, token(), token());
            default -> swapped(input, token(), edge());
        };
    }

    private static byte[] spliced(byte[] input, int from, int to, byte[] middle, int times) {
        var out = new ByteArrayOutputStream();
        out.write(input, 0, from);
        for (var i = 0; i < times; i++) {
            out.writeBytes(middle);
        }
        out.write(input, to, input.length - to);
        return out.toByteArray();
    }

    private static byte[] chunkOf(byte[] input, int from, int to) {
        return Arrays.copyOfRange(input, from, to);
    }

    /// The input with every occurrence of one token replaced by another one.
    private static byte[] swapped(byte[] input, byte[] token, byte[] other) {
        return text(input).replace(text(token), text(other)).getBytes(StandardCharsets.UTF_8);
    }

    private byte[] noise() {
        var bytes = new byte[1];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] edge() {
        return EDGES.get(random.nextInt(EDGES.size())).getBytes(StandardCharsets.UTF_8);
    }

    private byte[] token() {
        var tokens = TOKEN.matcher(text(pick())).results().toList();
        return tokens.isEmpty()
                ? edge()
                : tokens.get(random.nextInt(tokens.size()))
                        .group()
                        .getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] input) {
        return new String(input, StandardCharsets.UTF_8);
    }
}
