package dev.berth.control.schedule;

import dev.berth.model.api.meta.ObjectRef;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/// Pods that cannot be scheduled on any node yet, with the reason.
final class GatedPods {

    /// Delay before a reason is reported: claims of templates are usually created within this time.
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

    /// Reports each reason once, after the delay.
    ///
    /// @param reporter returns false when the pod could not be reported
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
