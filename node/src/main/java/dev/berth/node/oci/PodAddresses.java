package dev.berth.node.oci;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// The IPv4 range of pod addresses. Its first address is the host's end of every pod's link.
///
/// @param base the network address, which is not assigned
/// @param bits length of the prefix
public record PodAddresses(long base, int bits) {

    private static final Pattern RANGE =
            Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})/(\\d{1,2})");
    private static final int MIN_BITS = 8;
    private static final int MAX_BITS = 29;

    public static final PodAddresses DEFAULT = new PodAddresses(10L << 24 | 88 << 16, 16);

    /// Parses CIDR notation such as `10.88.0.0/16`.
    ///
    /// @throws IllegalArgumentException with the reason
    public static PodAddresses parse(String text) {
        var match = RANGE.matcher(text);
        if (!match.matches()) {
            throw new IllegalArgumentException(
                    "\"%s\" is not an IPv4 range in CIDR notation such as 10.88.0.0/16"
                            .formatted(text));
        }
        var base = 0L;
        for (var i = 1; i <= 4; i++) {
            var part = Integer.parseInt(match.group(i));
            if (part > 255) {
                throw new IllegalArgumentException(
                        "\"%s\" has the octet %d; the maximum is 255".formatted(text, part));
            }
            base = base << 8 | part;
        }
        var bits = Integer.parseInt(match.group(5));
        if (bits < MIN_BITS || bits > MAX_BITS) {
            throw new IllegalArgumentException(
                    "\"%s\" is too large or too small; use /%d to /%d"
                            .formatted(text, MIN_BITS, MAX_BITS));
        }
        return new PodAddresses(base & -size(bits), bits);
    }

    private static long size(int bits) {
        return 1L << (32 - bits);
    }

    /// The host's end of every link.
    public String host() {
        return text(base + 1);
    }

    /// The next free address after the last assigned one, so that a released address is not reused
    /// at once; empty if all are taken.
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
