package dev.berth.model.quantity;

import java.util.ArrayList;
import java.util.List;

/// Parses versions strictly, with the error messages of Kubernetes.
final class SemverSyntax {

    /// Result of parsing.
    sealed interface Reading {}

    record Parsed(Semver version) implements Reading {}

    record Malformed(String reason) implements Reading {}

    private static final int MAX_PARTS = 3;

    private SemverSyntax() {}

    static Reading parse(String text) {
        return parse(text, true);
    }

    /// True when the text has the form of a version, regardless of the size of its numbers.
    static boolean isWellFormed(String text) {
        return parse(text, false) instanceof Parsed;
    }

    private static Reading parse(String text, boolean sized) {
        if (text.isEmpty()) {
            return new Malformed("Version string empty");
        }
        var parts = text.split("\\.", MAX_PARTS);
        if (parts.length != MAX_PARTS) {
            return new Malformed("No Major.Minor.Patch elements found");
        }
        try {
            return new Parsed(version(parts, sized));
        } catch (IllegalArgumentException e) {
            return new Malformed(String.valueOf(e.getMessage()));
        }
    }

    /// Strips one leading `v`, drops leading zeros and fills in a missing minor or patch number
    /// with 0, so that `v1.02` is read as `1.2.0`.
    static Reading parseTolerantly(String text) {
        var rest = text.startsWith("v") ? text.substring(1) : text;
        var parts = new ArrayList<String>();
        for (var part : rest.split("\\.", MAX_PARTS)) {
            parts.add(part.length() > 1 ? withoutLeadingZeros(part) : part);
        }
        if (parts.size() < MAX_PARTS) {
            var last = parts.getLast();
            if (last.indexOf('+') >= 0 || last.indexOf('-') >= 0) {
                return new Malformed("short version cannot contain PreRelease/Build meta data");
            }
            while (parts.size() < MAX_PARTS) {
                parts.add("0");
            }
        }
        return parse(String.join(".", parts));
    }

    private static String withoutLeadingZeros(String part) {
        var at = 0;
        while (at < part.length() && part.charAt(at) == '0') {
            at++;
        }
        var rest = part.substring(at);
        return rest.isEmpty() || !isDigit(rest.charAt(0)) ? "0" + rest : rest;
    }

    private static Semver version(String[] parts, boolean sized) {
        var patch = parts[2];
        var build = List.<String>of();
        var plus = patch.indexOf('+');
        if (plus >= 0) {
            build = List.of(patch.substring(plus + 1).split("\\.", -1));
            patch = patch.substring(0, plus);
        }
        var preRelease = List.<String>of();
        var minus = patch.indexOf('-');
        if (minus >= 0) {
            preRelease = List.of(patch.substring(minus + 1).split("\\.", -1));
            patch = patch.substring(0, minus);
        }
        var major = number("major", "Major", parts[0], sized);
        var minor = number("minor", "Minor", parts[1], sized);
        var fix = number("patch", "Patch", patch, sized);
        preRelease.forEach(identifier -> checkPreRelease(identifier, sized));
        build.forEach(SemverSyntax::checkBuild);
        return new Semver(major, minor, fix, preRelease, String.join(".", build));
    }

    private static long number(String name, String capitalized, String digits, boolean sized) {
        if (!digits.chars().allMatch(SemverSyntax::isDigit)) {
            throw new IllegalArgumentException(
                    "Invalid character(s) found in " + name + " number " + quoted(digits));
        }
        if (hasLeadingZero(digits)) {
            throw new IllegalArgumentException(
                    capitalized + " number must not contain leading zeroes " + quoted(digits));
        }
        return unsigned(digits, sized);
    }

    private static long unsigned(String digits, boolean sized) {
        if (digits.isEmpty()) {
            throw new IllegalArgumentException("strconv.ParseUint: parsing \"\": invalid syntax");
        }
        if (!sized) {
            return 0;
        }
        try {
            return Long.parseUnsignedLong(digits);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "strconv.ParseUint: parsing " + quoted(digits) + ": value out of range", e);
        }
    }

    private static void checkPreRelease(String identifier, boolean sized) {
        if (identifier.isEmpty()) {
            throw new IllegalArgumentException("Prerelease is empty");
        }
        if (isNumeric(identifier)) {
            if (hasLeadingZero(identifier)) {
                throw new IllegalArgumentException(
                        "Numeric PreRelease version must not contain leading zeroes "
                                + quoted(identifier));
            }
            unsigned(identifier, sized);
        } else if (!isAlphanumeric(identifier)) {
            throw new IllegalArgumentException(
                    "Invalid character(s) found in prerelease " + quoted(identifier));
        }
    }

    private static void checkBuild(String identifier) {
        if (identifier.isEmpty()) {
            throw new IllegalArgumentException("Build meta data is empty");
        }
        if (!isAlphanumeric(identifier)) {
            throw new IllegalArgumentException(
                    "Invalid character(s) found in build meta data " + quoted(identifier));
        }
    }

    static boolean isNumeric(String identifier) {
        return identifier.chars().allMatch(SemverSyntax::isDigit);
    }

    private static boolean isAlphanumeric(String identifier) {
        return identifier
                .chars()
                .allMatch(c ->
                        isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-');
    }

    private static boolean hasLeadingZero(String digits) {
        return digits.length() > 1 && digits.charAt(0) == '0';
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
