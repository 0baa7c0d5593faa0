package dev.berth.core.schedule;

import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.ResourceClaim;

/// Detects that another scheduler allocated the devices of a binding to other claims.
final class BindingConflicts {

    private BindingConflicts() {}

    /// True when another claim was allocated first. Called when the watch has shown all writes up
    /// to that of the binding.
    static boolean hasLost(BindingWrites writes, BindingFacts facts) {
        if (facts.foreign().isEmpty()) {
            return false;
        }
        for (var write : writes.writes()) {
            var claim = facts.watched(write.ref());
            for (var foreign : facts.foreign()) {
                // A list shows allocations without their order: the safe assumption is that the
                // other one was first.
                var isLater = foreign.isExact() && foreign.version() > write.version();
                if (!isLater
                        && !foreign.claim().equals(write.ref())
                        && claim.filter(own -> conflicts(own, foreign, facts)).isPresent()) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean conflicts(
            ResourceClaim own, BindingFacts.ForeignAllocation foreign, BindingFacts facts) {
        return own.status().allocation().stream()
                .flatMap(allocation -> allocation.devices().stream())
                .anyMatch(device ->
                        foreign.devices().stream()
                                .anyMatch(other -> conflicts(device, other, facts)));
    }

    /// True when two devices cannot both be allocated. For devices that consume shared counters any
    /// two of a pool conflict: summing up the counters is not worth it, since such races are rare.
    private static boolean conflicts(
            AllocatedDevice own, AllocatedDevice other, BindingFacts facts) {
        if (own.isAdmin() || other.isAdmin()) {
            return false;
        }
        return own.id().equals(other.id())
                || (own.id().poolId().equals(other.id().poolId()) && consumesCounters(own, facts));
    }

    private static boolean consumesCounters(AllocatedDevice device, BindingFacts facts) {
        for (var slice : facts.slices().values()) {
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
