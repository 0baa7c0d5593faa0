package dev.berth.server.kinds.check;

import java.util.regex.Pattern;

/// Parses IP addresses without DNS look-ups.
public final class IpAddresses {

    private static final String BYTE = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    private static final Pattern V4 = Pattern.compile(BYTE + "(\\." + BYTE + "){3}");
    private static final Pattern V6_GROUPS =
            Pattern.compile("[0-9a-fA-F]{1,4}(:[0-9a-fA-F]{1,4})*");

    private IpAddresses() {}

    public static boolean isAddress(String text) {
        return isV4(text) || isV6(text);
    }

    public static boolean isV4(String text) {
        return V4.matcher(text).matches();
    }

    public static boolean isV6(String text) {
        var body = text;
        var groups = 8;
        var colon = text.lastIndexOf(':');
        if (colon >= 0 && text.indexOf('.') > colon) {
            if (!isV4(text.substring(colon + 1))) {
                return false;
            }
            body = text.substring(0, colon) + ":0:0";
        }
        var gap = body.indexOf("::");
        if (gap < 0) {
            return V6_GROUPS.matcher(body).matches() && body.split(":", -1).length == groups;
        }
        if (body.indexOf("::", gap + 1) >= 0) {
            return false;
        }
        var count = groups(body.substring(0, gap)) + groups(body.substring(gap + 2));
        return count >= 0 && count < groups;
    }

    /// Number of groups in a part; so low that no sum is valid if it is malformed.
    private static int groups(String part) {
        if (part.isEmpty()) {
            return 0;
        }
        return V6_GROUPS.matcher(part).matches() ? part.split(":", -1).length : -100;
    }

    /// True for a CIDR such as `10.0.0.0/8`.
    public static boolean isCidr(String text) {
        var slash = text.indexOf('/');
        if (slash < 0) {
            return false;
        }
        var address = text.substring(0, slash);
        var length = text.substring(slash + 1);
        if (!length.matches("\\d{1,3}")) {
            return false;
        }
        var bits = Integer.parseInt(length);
        return isV4(address) ? bits <= 32 : isV6(address) && bits <= 128;
    }
}
