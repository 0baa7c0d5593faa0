package dev.berth.model.quantity;

import java.util.List;
import java.util.Optional;

/// A semantic version 2.0.0. Order and equality are by precedence: build metadata is ignored.
public final class Semver implements Comparable<Semver> {

    private final long major;
    private final long minor;
    private final long patch;
    private final List<String> preRelease;
    private final String build;

    Semver(long major, long minor, long patch, List<String> preRelease, String build) {
        this.major = major;
        this.minor = minor;
        this.patch = patch;
        this.preRelease = preRelease;
        this.build = build;
    }

    /// Parses a version strictly; empty when it is malformed or a number exceeds 64 bits.
    public static Optional<Semver> tryParse(String text) {
        return SemverSyntax.parse(text) instanceof SemverSyntax.Parsed(var version)
                ? Optional.of(version)
                : Optional.empty();
    }

    /// Parses a version strictly.
    ///
    /// @throws IllegalArgumentException with Kubernetes' words when the text is not a version
    public static Semver parse(String text) {
        return orThrow(SemverSyntax.parse(text));
    }

    /// Parses a version that may start with `v`, lack the minor or patch number or have leading
    /// zeros: `v1.02` is `1.2.0`. Only full versions may have a pre-release or build part.
    ///
    /// @throws IllegalArgumentException with Kubernetes' words when the text is not a version
    public static Semver parseTolerantly(String text) {
        return orThrow(SemverSyntax.parseTolerantly(text));
    }

    private static Semver orThrow(SemverSyntax.Reading reading) {
        return switch (reading) {
            case SemverSyntax.Parsed(var version) -> version;
            case SemverSyntax.Malformed(var reason) -> throw new IllegalArgumentException(reason);
        };
    }

    /// True when the text has the form of a version, whatever the size of its numbers: this is what
    /// the API server checks.
    public static boolean isWellFormed(String text) {
        return SemverSyntax.isWellFormed(text);
    }

    /// The major number; negative beyond 63 bits, as in Kubernetes.
    public long major() {
        return major;
    }

    public long minor() {
        return minor;
    }

    public long patch() {
        return patch;
    }

    @Override
    public int compareTo(Semver other) {
        var byNumber = Long.compareUnsigned(major, other.major);
        if (byNumber == 0) {
            byNumber = Long.compareUnsigned(minor, other.minor);
        }
        if (byNumber == 0) {
            byNumber = Long.compareUnsigned(patch, other.patch);
        }
        return byNumber == 0 ? comparePreRelease(other) : byNumber;
    }

    private int comparePreRelease(Semver other) {
        if (preRelease.isEmpty() || other.preRelease.isEmpty()) {
            return Boolean.compare(preRelease.isEmpty(), other.preRelease.isEmpty());
        }
        var common = Math.min(preRelease.size(), other.preRelease.size());
        for (var i = 0; i < common; i++) {
            var order = compareIdentifiers(preRelease.get(i), other.preRelease.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(preRelease.size(), other.preRelease.size());
    }

    private static int compareIdentifiers(String a, String b) {
        var aNumeric = SemverSyntax.isNumeric(a);
        var bNumeric = SemverSyntax.isNumeric(b);
        if (aNumeric && bNumeric) {
            return Long.compareUnsigned(Long.parseUnsignedLong(a), Long.parseUnsignedLong(b));
        }
        return aNumeric == bNumeric
                ? Integer.signum(a.compareTo(b))
                : Boolean.compare(bNumeric, aNumeric);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Semver that && compareTo(that) == 0;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(major * 1_000_003 + minor * 1_009 + patch) * 31
                + preRelease.hashCode();
    }

    @Override
    public String toString() {
        return Long.toUnsignedString(major)
                + "."
                + Long.toUnsignedString(minor)
                + "."
                + Long.toUnsignedString(patch)
                + (preRelease.isEmpty() ? "" : "-" + String.join(".", preRelease))
                + (build.isEmpty() ? "" : "+" + build);
    }
}
