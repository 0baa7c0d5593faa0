package dev.berth.core.admission.field;

import java.util.Optional;

/// Parses `10.9.8.7/24` and `2001:db8::1/64` and formats them canonically.
///
/// Parsing is as lenient as in Kubernetes (leading zeros in IPv4 numbers are allowed), so that the
/// error message can contain the canonical form.
public final class IpPrefixes {

    private static final int GROUPS = 8;
    private static final int IPV4_NUMBERS = 4;

    private IpPrefixes() {}

    /// The canonical form of an address with prefix length; empty when the text is not one.
    public static Optional<String> canonical(String text) {
        var slash = text.indexOf('/');
        if (slash < 0) {
            return Optional.empty();
        }
        var address = text.substring(0, slash);
        var length = number(text.substring(slash + 1), 128);
        var ipv4 = ipv4(address);
        if (ipv4.isPresent()) {
            return length < 0 || length > 32
                    ? Optional.empty()
                    : Optional.of(ipv4.get() + "/" + length);
        }
        return length < 0
                ? Optional.empty()
                : ipv6(address).map(groups -> spelled(groups) + "/" + length);
    }

    private static Optional<String> ipv4(String text) {
        var parts = text.split("\\.", -1);
        if (parts.length != IPV4_NUMBERS) {
            return Optional.empty();
        }
        var canonical = new StringBuilder();
        for (var part : parts) {
            var value = number(part, 255);
            if (value < 0) {
                return Optional.empty();
            }
            canonical.append(canonical.isEmpty() ? "" : ".").append(value);
        }
        return Optional.of(canonical.toString());
    }

    /// The decimal value, or -1 when the text is not a number or exceeds the limit.
    private static int number(String digits, int limit) {
        if (digits.isEmpty()) {
            return -1;
        }
        var value = 0;
        for (var i = 0; i < digits.length(); i++) {
            var digit = digits.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
            if (value > limit) {
                return -1;
            }
        }
        return value;
    }

    private static Optional<int[]> ipv6(String text) {
        var gap = text.indexOf("::");
        if (gap < 0) {
            var groups = groups(text);
            return groups.filter(all -> all.length == GROUPS);
        }
        var head = groups(text.substring(0, gap));
        var tail = groups(text.substring(gap + 2));
        if (head.isEmpty() || tail.isEmpty() || text.substring(0, gap).contains(".")) {
            return Optional.empty();
        }
        var missing = GROUPS - head.get().length - tail.get().length;
        if (missing < 1) {
            return Optional.empty();
        }
        var all = new int[GROUPS];
        System.arraycopy(head.get(), 0, all, 0, head.get().length);
        System.arraycopy(tail.get(), 0, all, GROUPS - tail.get().length, tail.get().length);
        return Optional.of(all);
    }

    /// The groups between colons, the last of which may be an IPv4 address; none for an empty text.
    private static Optional<int[]> groups(String text) {
        if (text.isEmpty()) {
            return Optional.of(new int[0]);
        }
        var parts = text.split(":", -1);
        var last = parts[parts.length - 1];
        var embedded = last.contains(".") ? ipv4(last) : Optional.<String>empty();
        if (last.contains(".") && embedded.isEmpty()) {
            return Optional.empty();
        }
        var groups = new int[parts.length + (embedded.isPresent() ? 1 : 0)];
        var plain = parts.length - (embedded.isPresent() ? 1 : 0);
        for (var i = 0; i < plain; i++) {
            if (!parts[i].matches("[0-9a-fA-F]{1,4}")) {
                return Optional.empty();
            }
            groups[i] = Integer.parseInt(parts[i], 16);
        }
        if (embedded.isPresent()) {
            var numbers = embedded.get().split("\\.", -1);
            groups[plain] = pair(numbers[0], numbers[1]);
            groups[plain + 1] = pair(numbers[2], numbers[3]);
        }
        return Optional.of(groups);
    }

    private static int pair(String high, String low) {
        return Integer.parseInt(high) << 8 | Integer.parseInt(low);
    }

    /// Formats the longest run of two or more zero groups as `::`, and IPv4-mapped addresses as
    /// IPv4.
    private static String spelled(int[] groups) {
        if (isMappedIpv4(groups)) {
            return "%d.%d.%d.%d"
                    .formatted(groups[6] >> 8, groups[6] & 0xff, groups[7] >> 8, groups[7] & 0xff);
        }
        var start = -1;
        var length = 1;
        for (var i = 0; i < GROUPS; i++) {
            var run = i;
            while (run < GROUPS && groups[run] == 0) {
                run++;
            }
            if (run - i > length) {
                start = i;
                length = run - i;
            }
        }
        var text = new StringBuilder();
        for (var i = 0; i < GROUPS; i++) {
            if (i == start) {
                text.append("::");
                i += length - 1;
            } else {
                var afterNumber = !text.isEmpty() && text.charAt(text.length() - 1) != ':';
                text.append(afterNumber ? ":" : "").append(Integer.toHexString(groups[i]));
            }
        }
        return text.toString();
    }

    private static boolean isMappedIpv4(int[] groups) {
        for (var i = 0; i < 5; i++) {
            if (groups[i] != 0) {
                return false;
            }
        }
        return groups[5] == 0xffff;
    }
}
