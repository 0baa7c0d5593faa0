package dev.berth.dashboard.pending;

import dev.berth.core.explain.Explanation;
import dev.berth.core.explain.RequestReport;
import dev.berth.core.explain.WaitForecast;
import java.util.List;
import java.util.Set;

/// The kind of cause for which a pod is pending.
enum PendingCause {
    /// Enough devices are free, but not where the request needs them.
    SCATTERED("scattered"),
    /// Other claims hold the devices.
    HELD("held"),
    /// The request does not fit even if all devices were free.
    CANNOT_MATCH("cannotMatch"),
    /// A quota, a scheduling gate or a missing object keeps the pod from being scheduled.
    QUOTA("quota"),
    /// Not about devices, or not known.
    OTHER("other");

    private static final Set<String> QUOTA_KINDS = Set.of("ResourceQuota", "PriorityClass");

    private final String text;

    PendingCause(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    static PendingCause of(Explanation explanation) {
        return switch (explanation) {
            case Explanation.Fits _ -> OTHER;
            case Explanation.Blocked(var findings, _) ->
                    findings.stream()
                                    .anyMatch(one -> QUOTA_KINDS.contains(one.target().kind()))
                            ? QUOTA
                            : OTHER;
            case Explanation.Misfit misfit -> of(misfit);
        };
    }

    private static PendingCause of(Explanation.Misfit misfit) {
        if (misfit.cluster().isEmpty()) {
            return OTHER;
        }
        if (hasEnoughFree(misfit.cluster())) {
            return misfit.waiting() instanceof WaitForecast.AfterPodChanges ? OTHER : SCATTERED;
        }
        return switch (misfit.waiting()) {
            case WaitForecast.WillNotHelp _ -> CANNOT_MATCH;
            case WaitForecast.AfterRelease _,
                    WaitForecast.AfterPublishing _,
                    WaitForecast.AfterPodChanges _,
                    WaitForecast.Unknown _ ->
                    HELD;
        };
    }

    /// Whether the free devices of the cluster would be enough, were they together.
    private static boolean hasEnoughFree(List<RequestReport> requests) {
        return requests.stream().noneMatch(RequestReport::isShort);
    }

    /// Whether waiting helps, in the words of the explanation.
    static String waiting(Explanation explanation) {
        if (!(explanation instanceof Explanation.Misfit misfit)) {
            return "";
        }
        return switch (misfit.waiting()) {
            case WaitForecast.AfterRelease _ -> "yes";
            case WaitForecast.AfterPublishing _, WaitForecast.AfterPodChanges _ -> "maybe";
            case WaitForecast.WillNotHelp _ -> "no";
            case WaitForecast.Unknown _ -> "unknown";
        };
    }
}
