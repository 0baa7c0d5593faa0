package dev.berth.control.schedule;

import dev.berth.model.api.ObjectRef;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/// Pods that no node can help, with what they wait for.
final class GatedPods {

    /// Claims of templates are mostly made within this time; before, there is nothing to tell.
    private static final Duration REPORT_DELAY = Duration.ofSeconds(5);

    private record Gated(Instant since, String reason, boolean isReported) {}

    private final Map<ObjectRef, Gated> pods = new LinkedHashMap<>();

    void put(ObjectRef pod, String reason, Instant now) {
        var before = pods.get(pod);
        if (before == null || !before.reason.equals(reason)) {
            pods.put(pod, new Gated(now, reason, false));
        }
    }

    void remove(ObjectRef pod) {
        pods.remove(pod);
    }

    List<ObjectRef> all() {
        return List.copyOf(pods.keySet());
    }

    /// Tells what those wait for that have done so for a while, once for each reason.
    ///
    /// @param teller false when there is nobody to tell
    void report(Instant now, BiPredicate<ObjectRef, String> reporter) {
        for (var entry : pods.entrySet()) {
            var gated = entry.getValue();
            if (!gated.isReported
                    && !gated.since.plus(REPORT_DELAY).isAfter(now)
                    && reporter.test(entry.getKey(), gated.reason)) {
                entry.setValue(new Gated(gated.since, gated.reason, true));
            }
        }
    }
}
