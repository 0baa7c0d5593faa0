package dev.berth.control.schedule;

import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.ResourceClaim;

/// Tells whether somebody else gave away what an attempt wrote down for its own claims.
final class ConflictingAllocations {

    private ConflictingAllocations() {}

    /// True when another claim got it first. Called when the watch has shown all writes up to ours.
    static boolean hasLost(PodBinding binding, ClusterView view) {
        var others = view.foreignAllocationsSince(binding.sequence);
        if (others.isEmpty()) {
            return false;
        }
        for (var written : binding.written) {
            var claim = view.claim(written.ref());
            for (var foreign : others) {
                // A list shows what was given, not when: then the safe answer is that we were late.
                var isLater = foreign.isExact() && foreign.version() > written.version();
                if (!isLater
                        && !foreign.claim().equals(written.ref())
                        && claim.filter(own -> conflicts(own, foreign, view)).isPresent()) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean conflicts(
            ResourceClaim own, ClusterView.ForeignAllocation foreign, ClusterView view) {
        return own.status().allocation().stream()
                .flatMap(allocation -> allocation.devices().stream())
                .anyMatch(device ->
                        foreign.devices().stream()
                                .anyMatch(other -> conflicts(device, other, view)));
    }

    /// Whether two devices cannot both be given. Where a pool divides things up between devices or
    /// shares, adding it all up again is not worth it: such a clash is rare, and so is a rival.
    private static boolean conflicts(AllocatedDevice own, AllocatedDevice other, ClusterView view) {
        if (own.isAdmin() || other.isAdmin()) {
            return false;
        }
        return own.id().equals(other.id())
                || (own.id().poolId().equals(other.id().poolId()) && consumesCounters(own, view));
    }

    private static boolean consumesCounters(AllocatedDevice device, ClusterView view) {
        for (var slice : view.slices().values()) {
            var pool = slice.spec().pool().name();
            if (pool.equals(device.id().pool())
                    && slice.spec().driver().equals(device.id().driver())
                    && slice.spec().devices().stream()
                            .anyMatch(d ->
                                    d.name().equals(device.id().device())
                                            && !d.consumesCounters().isEmpty())) {
                return true;
            }
        }
        return false;
    }
}
