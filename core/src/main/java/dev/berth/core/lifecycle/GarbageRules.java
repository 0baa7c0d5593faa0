package dev.berth.core.lifecycle;

import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.ResourceSlice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Objects to garbage-collect: pods bound to deleted nodes, terminated pods beyond the limit,
/// slices of deleted nodes.
public final class GarbageRules {

    /// Number of terminated pods that are kept (`--terminated-pod-gc-threshold`).
    public static final int MAX_TERMINATED = 12_500;

    private static final Comparator<Pod> OLDEST_FIRST =
            Comparator.<Pod, Instant>comparing(
                            pod -> pod.metadata().creationTimestamp().orElse(Instant.EPOCH))
                    .thenComparing(Pod::ref);

    private GarbageRules() {}

    /// The oldest terminated pods beyond the limit.
    public static List<Pod> excessTerminated(Collection<Pod> pods, int kept) {
        var excessTerminated = new ArrayList<Pod>();
        for (var pod : pods) {
            if (PodClaimPhase.isTerminated(pod) && !pod.metadata().isDeleting()) {
                excessTerminated.add(pod);
            }
        }
        if (excessTerminated.size() <= kept) {
            return List.of();
        }
        excessTerminated.sort(OLDEST_FIRST);
        return List.copyOf(excessTerminated.subList(0, excessTerminated.size() - kept));
    }

    /// True for a terminating pod that was never scheduled: no kubelet will confirm its end.
    public static boolean isTerminatingUnscheduled(Pod pod) {
        return pod.metadata().isDeleting() && pod.spec().nodeName().isEmpty();
    }

    /// The node that a pod is bound to.
    public static Optional<String> nodeOf(Pod pod) {
        return Optional.of(pod.spec().nodeName()).filter(name -> !name.isEmpty());
    }

    /// The node whose devices a slice contains.
    public static Optional<String> nodeOf(ResourceSlice slice) {
        return slice.spec().scope() instanceof NodeScope.OneNode(var name)
                ? Optional.of(name)
                : Optional.empty();
    }
}
