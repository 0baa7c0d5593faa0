package dev.berth.server.kinds.custom;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/// Kube-aware priority of versions: stable ones before betas before alphas, newer ones first, and
/// names of another format last.
final class VersionPriority {

    private static final Pattern VERSION =
            Pattern.compile("v([1-9]\\d{0,8})(?:(alpha|beta)([1-9]\\d{0,8}))?");

    private record Rank(int stage, int major, int minor) {}

    private VersionPriority() {}

    static List<String> preferredFirst(List<String> versions) {
        return versions.stream()
                .sorted(
                        Comparator.comparing(
                                        VersionPriority::rank,
                                        Comparator.comparingInt(Rank::stage)
                                                .thenComparingInt(Rank::major)
                                                .thenComparingInt(Rank::minor)
                                                .reversed())
                                .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private static Rank rank(String version) {
        var matcher = VERSION.matcher(version);
        if (!matcher.matches()) {
            return new Rank(0, 0, 0);
        }
        var major = Integer.parseInt(matcher.group(1));
        var stage = matcher.group(2);
        return stage == null
                ? new Rank(3, major, 0)
                : new Rank(stage.equals("beta") ? 2 : 1, major, Integer.parseInt(matcher.group(3)));
    }
}
