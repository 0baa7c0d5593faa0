package dev.berth.node.oci;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// The addresses that pods of this machine may have: a range of IPv4, whose first one is the
/// machine's own end of every pod's link.
///
/// @param base the first number of the range, which nobody has
/// @param bits how many are the same in all of it
public record PodAddresses(long base, int bits) {

    private static final Pattern RANGE =
            Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})/(\\d{1,2})");
    private static final int MIN_BITS = 8;
    private static final int MAX_BITS = 29;

    public static final PodAddresses USUAL = new PodAddresses(10L << 24 | 88 << 16, 16);

    /// Reads `10.88.0.0/16`.
    ///
    /// @throws IllegalArgumentException with what is wrong
    public static PodAddresses parse(String text) {
        var match = RANGE.matcher(text);
        if (!match.matches()) {
            throw new IllegalArgumentException(
                    "\"%s\" is not a range of addresses; write one such as 10.88.0.0/16"
                            .formatted(text));
        }
        var base = 0L;
        for (var i = 1; i <= 4; i++) {
            var part = Integer.parseInt(match.group(i));
            if (part > 255) {
                throw new IllegalArgumentException(
                        "\"%s\" has a part of %d; the largest is 255".formatted(text, part));
            }
            base = base << 8 | part;
        }
        var bits = Integer.parseInt(match.group(5));
        if (bits < MIN_BITS || bits > MAX_BITS) {
            throw new IllegalArgumentException(
                    "\"%s\" is too large or too small; take /%d to /%d"
                            .formatted(text, MIN_BITS, MAX_BITS));
        }
        return new PodAddresses(base & -size(bits), bits);
    }

    private static long size(int bits) {
        return 1L << (32 - bits);
    }

    /// The machine's own end of every link.
    public String host() {
        return text(base + 1);
    }

    /// The next free address behind the last that was given, so that one that was given back rests
    /// for a while; empty when all are taken.
    Optional<String> next(Set<String> taken, Optional<String> last) {
        var first = base + 2;
        var count = size(bits) - 3;
        var start = last.map(PodAddresses::number).map(number -> number + 1 - first).orElse(0L);
        for (var i = 0L; i < count; i++) {
            var address = text(first + Math.floorMod(start + i, count));
            if (!taken.contains(address)) {
                return Optional.of(address);
            }
        }
        return Optional.empty();
    }

    private static long number(String address) {
        var number = 0L;
        for (var part : address.split("\\.", -1)) {
            number = number << 8 | Integer.parseInt(part);
        }
        return number;
    }

    private static String text(long number) {
        return "%d.%d.%d.%d"
                .formatted(number >> 24 & 255, number >> 16 & 255, number >> 8 & 255, number & 255);
    }

    @Override
    public String toString() {
        return text(base) + "/" + bits;
    }
}
