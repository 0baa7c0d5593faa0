package dev.berth.control.schedule;

import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.ResourceClaim;

/// Detects that another scheduler allocated the devices of a binding to other claims.
final class ConflictingAllocations {

    private ConflictingAllocations() {}

    /// True when another claim was allocated first. Called when the watch has shown all writes up
    /// to that of the binding.
    static boolean hasLost(PodBinding binding, ClusterView view) {
        var others = view.foreignAllocationsSince(binding.sequence);
        if (others.isEmpty()) {
            return false;
        }
        for (var written : binding.written) {
            var claim = view.claim(written.ref());
            for (var foreign : others) {
                // A list shows allocations without their order: the safe assumption is that the
                // other one was first.
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

    /// True when two devices cannot both be allocated. For devices that consume shared counters any
    /// two of a pool conflict: summing up the counters is not worth it, since such races are rare.
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
