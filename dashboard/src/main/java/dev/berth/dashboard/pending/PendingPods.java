package dev.berth.dashboard.pending;

import dev.berth.dashboard.watch.ClusterWatch;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodPhase;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/// The pods that wait for a node.
public final class PendingPods {

    private PendingPods() {}

    public static boolean isPending(Pod pod) {
        return pod.spec().nodeName().isEmpty()
                && pod.status().phase() != PodPhase.Known.SUCCEEDED
                && pod.status().phase() != PodPhase.Known.FAILED
                && !pod.metadata().isDeleting();
    }

    /// All pending pods, the oldest first.
    public static List<Pod> of(ClusterWatch watch) {
        return watch.pods().all().stream()
                .filter(PendingPods::isPending)
                .sorted(
                        Comparator.<Pod, Instant>comparing(pod ->
                                        pod.metadata().creationTimestamp().orElse(Instant.EPOCH))
                                .thenComparing(Pod::ref))
                .toList();
    }

    /// Changes when a pending pod or its condition changes.
    public static long fingerprint(List<Pod> pending) {
        var sum = (long) pending.size();
        for (var pod : pending) {
            sum =
                    31 * sum
                            + 31L * pod.metadata().uid().hashCode()
                            + pod.metadata().resourceVersion().hashCode();
        }
        return sum;
    }
}
