package dev.berth.core.podsecurity;

import java.util.Optional;
import java.util.regex.Pattern;

/// A level as a release of Kubernetes defined it: `restricted:v1.25` or `baseline:latest`.
///
/// @param minor of the release 1.minor; [#LATEST] for the newest definition
public record VersionedLevel(SecurityLevel level, int minor) {

    static final int LATEST = Integer.MAX_VALUE;

    private static final Pattern VERSION = Pattern.compile("v1\\.(0|[1-9][0-9]{0,8})");

    public static VersionedLevel latest(SecurityLevel level) {
        return new VersionedLevel(level, LATEST);
    }

    /// The minor of `latest` or `v1.x`.
    static Optional<Integer> parseVersion(String text) {
        if (text.equals("latest")) {
            return Optional.of(LATEST);
        }
        var matcher = VERSION.matcher(text);
        return matcher.matches()
                ? Optional.of(Integer.parseInt(matcher.group(1)))
                : Optional.empty();
    }

    VersionedLevel with(SecurityLevel other) {
        return new VersionedLevel(other, minor);
    }

    VersionedLevel with(int otherMinor) {
        return new VersionedLevel(level, otherMinor);
    }

    @Override
    public String toString() {
        return level + ":" + (minor == LATEST ? "latest" : "v1." + minor);
    }
}
