package dev.berth.core.lifecycle;

import dev.berth.model.api.NodeScope;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceSlice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// What nobody will come back for.
public final class GarbageRules {

    /// So many pods that have ended are kept.
    public static final int MAX_ENDED = 12_500;

    private static final Comparator<Pod> OLDEST_FIRST =
            Comparator.<Pod, Instant>comparing(
                            pod -> pod.metadata().creationTimestamp().orElse(Instant.EPOCH))
                    .thenComparing(Pod::ref);

    private GarbageRules() {}

    /// The oldest of the pods that have ended, as far as there are too many.
    public static List<Pod> ended(Collection<Pod> pods, int kept) {
        var ended = new ArrayList<Pod>();
        for (var pod : pods) {
            if (PodClaimPhase.isOver(pod) && !pod.metadata().isDeleting()) {
                ended.add(pod);
            }
        }
        if (ended.size() <= kept) {
            return List.of();
        }
        ended.sort(OLDEST_FIRST);
        return List.copyOf(ended.subList(0, ended.size() - kept));
    }

    /// True for a pod that is going and was never on a node: no node will say that it is gone.
    public static boolean isGoingUnplaced(Pod pod) {
        return pod.metadata().isDeleting() && pod.spec().nodeName().isEmpty();
    }

    /// The node without which an object makes no sense.
    public static Optional<String> nodeOf(Pod pod) {
        return Optional.of(pod.spec().nodeName()).filter(name -> !name.isEmpty());
    }

    /// The node without which a slice makes no sense.
    public static Optional<String> nodeOf(ResourceSlice slice) {
        return slice.spec().scope() instanceof NodeScope.OneNode(var name)
                ? Optional.of(name)
                : Optional.empty();
    }
}
