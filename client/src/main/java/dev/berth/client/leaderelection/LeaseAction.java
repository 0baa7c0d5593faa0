package dev.berth.client.leaderelection;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The next action of a candidate for leadership.
///
/// Clocks of machines differ, so the times in a Lease are never compared with the local clock: a
/// lease expires its duration after this candidate first observed it.
public sealed interface LeaseAction {

    /// The Lease does not exist: create it.
    record Create(LeaderLease lease) implements LeaseAction {}

    /// Acquire or renew: update the Lease.
    record Write(LeaderLease lease) implements LeaseAction {}

    /// Another candidate leads.
    record Wait(String leader) implements LeaseAction {}

    /// The last observed state of the Lease.
    ///
    /// @param seen when this state was first observed
    record Observed(LeaderLease lease, Instant seen) {}

    /// Decides on the next action.
    ///
    /// @param observed empty when the Lease does not exist
    static LeaseAction decide(
            String me, Duration duration, Optional<Observed> observed, Instant now) {
        if (observed.isEmpty()) {
            return new Create(new LeaderLease(me, duration, Optional.of(now), Optional.of(now), 0));
        }
        var lease = observed.get().lease;
        if (lease.holder().equals(me)) {
            return new Write(
                    new LeaderLease(
                            me, duration, lease.acquired(), Optional.of(now), lease.transitions()));
        }
        var ends = observed.get().seen.plus(lease.duration());
        if (!lease.isReleased() && ends.isAfter(now)) {
            return new Wait(lease.holder());
        }
        return new Write(
                new LeaderLease(
                        me, duration, Optional.of(now), Optional.of(now), lease.transitions() + 1));
    }
}
