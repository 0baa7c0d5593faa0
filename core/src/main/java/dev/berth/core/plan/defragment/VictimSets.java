package dev.berth.core.plan.defragment;

import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Small sets of pods of one node without which a request fits there.
///
/// Story: without all movable pods the request must fit, otherwise the node is of no use. Then pods
/// are put back as long as the request still fits, those with the fewest devices first, so that few
/// large ones are left: an irreducible set, as kube-scheduler computes its preemption victims. When
/// that has two pods or more, all smaller sets are tried, the smallest first, up to [#MAX_CHECKS]:
/// then the set is a smallest one.
final class VictimSets {

    /// Bound of the sets that are tried on one node.
    private static final int MAX_CHECKS = 64;

    private final ClusterSnapshot snapshot;
    private final Predicate<ClusterSnapshot> fits;

    /// @param fits whether the request fits on the node of a snapshot
    VictimSets(ClusterSnapshot snapshot, Predicate<ClusterSnapshot> fits) {
        this.snapshot = snapshot;
        this.fits = fits;
    }

    /// A small set, largest pods first; empty when the request does not fit without any of the
    /// pods.
    Optional<List<Pod>> smallest(Collection<Pod> movable) {
        if (movable.isEmpty() || !fitsWithout(movable)) {
            return Optional.empty();
        }
        var largestFirst =
                movable.stream()
                        .sorted(
                                Comparator.<Pod>comparingLong(pod -> -devices(pod))
                                        .thenComparingLong(pod -> pod.spec().priority().orElse(0))
                                        .thenComparing(Pod::ref))
                        .toList();
        var irreducible = irreducible(largestFirst);
        var checks = new int[] {MAX_CHECKS};
        for (var size = 1; size < irreducible.size() && checks[0] > 0; size++) {
            var smaller = subset(largestFirst, 0, size, List.of(), checks);
            if (smaller.isPresent()) {
                return smaller;
            }
        }
        return Optional.of(irreducible);
    }

    private boolean fitsWithout(Collection<Pod> pods) {
        return fits.test(snapshot.without(refs(pods)));
    }

    private static List<ObjectRef> refs(Collection<Pod> pods) {
        return pods.stream().map(Pod::ref).toList();
    }

    private List<Pod> irreducible(List<Pod> largestFirst) {
        var victims = new ArrayList<>(largestFirst);
        for (var pod : largestFirst.reversed()) {
            var fewer = new ArrayList<>(victims);
            fewer.remove(pod);
            if (fitsWithout(fewer)) {
                victims = fewer;
            }
        }
        return victims;
    }

    /// The first set of a size, in the order of the pods, without which the request fits.
    private Optional<List<Pod>> subset(
            List<Pod> pods, int from, int size, List<Pod> chosen, int[] checks) {
        if (size == 0) {
            checks[0]--;
            return fitsWithout(chosen) ? Optional.of(chosen) : Optional.empty();
        }
        for (var i = from; i <= pods.size() - size && checks[0] > 0; i++) {
            var more = new ArrayList<>(chosen);
            more.add(pods.get(i));
            var found = subset(pods, i + 1, size - 1, more, checks);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private long devices(Pod pod) {
        return PodClaimReferences.all(pod).stream()
                .flatMap(ref -> snapshot.usage().claim(ref).stream())
                .flatMap(claim -> claim.status().allocation().stream())
                .mapToLong(allocation -> allocation.devices().size())
                .sum();
    }
}
