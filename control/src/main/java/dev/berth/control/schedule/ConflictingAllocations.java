package dev.berth.control.schedule;

import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.ResourceClaim;

/// Tells whether somebody else gave away what an attempt wrote down for its own claims.
final class ConflictingAllocations {

    private ConflictingAllocations() {}

    /// True when another claim got it first. Called when the watch has shown all writes up to ours.
    static boolean hasLost(PodBinding attempt, ClusterView view) {
        var rivals = view.grantsSince(attempt.order);
        if (rivals.isEmpty()) {
            return false;
        }
        for (var written : attempt.written) {
            var claim = view.claim(written.ref());
            for (var rival : rivals) {
                // A list shows what was given, not when: then the safe answer is that we were late.
                var isLater = rival.isExact() && rival.version() > written.version();
                if (!isLater
                        && !rival.claim().equals(written.ref())
                        && claim.filter(own -> clash(own, rival, view)).isPresent()) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean clash(ResourceClaim own, ClusterView.Grant rival, ClusterView view) {
        return own.status().allocation().stream()
                .flatMap(allocation -> allocation.devices().stream())
                .anyMatch(device ->
                        rival.devices().stream().anyMatch(other -> clash(device, other, view)));
    }

    /// Whether two devices cannot both be given. Where a pool divides things up between devices or
    /// shares, adding it all up again is not worth it: such a clash is rare, and so is a rival.
    private static boolean clash(AllocatedDevice own, AllocatedDevice other, ClusterView view) {
        if (own.isAdmin() || other.isAdmin()) {
            return false;
        }
        return own.id().equals(other.id())
                || (own.id().poolId().equals(other.id().poolId()) && isDivided(own, view));
    }

    private static boolean isDivided(AllocatedDevice device, ClusterView view) {
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
