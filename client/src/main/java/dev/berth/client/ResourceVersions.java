package dev.berth.client;

/// Compares resourceVersions, which are decimal numbers of any length on every conformant server.
public final class ResourceVersions {

    private ResourceVersions() {}

    /// True when one is certainly older than the other; false for values that are not numbers.
    public static boolean isBefore(String one, String other) {
        return isNumber(one)
                && isNumber(other)
                && (one.length() == other.length()
                        ? one.compareTo(other) < 0
                        : one.length() < other.length());
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty()
                && text.chars().allMatch(c -> c >= '0' && c <= '9')
                && text.charAt(0) != '0';
    }
}
