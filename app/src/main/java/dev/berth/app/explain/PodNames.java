package dev.berth.app.explain;

import java.util.List;

/// Names of several pods in one phrase.
final class PodNames {

    private static final int MAX_LISTED = 4;

    private PodNames() {}

    /// `pod a`, `pods a, b and 7 more`.
    static String listed(List<String> names) {
        var more = names.size() - MAX_LISTED;
        return "%s %s%s"
                .formatted(
                        names.size() == 1 ? "pod" : "pods",
                        String.join(", ", names.stream().limit(MAX_LISTED).toList()),
                        more > 0 ? " and " + more + " more" : "");
    }
}
