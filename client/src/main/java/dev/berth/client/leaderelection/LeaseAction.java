package dev.berth.client.leaderelection;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What a candidate does next.
///
/// Clocks of machines differ, so the times that a Lease says are never compared with ours: a term
/// counts from when we first saw it.
public sealed interface LeaseAction {

    /// Nobody has ever led: create the Lease.
    record Create(LeaderLease term) implements LeaseAction {}

    /// Take over, or go on: write the Lease.
    record Write(LeaderLease term) implements LeaseAction {}

    /// Somebody else leads.
    record Wait(String leader) implements LeaseAction {}

    /// What a candidate knows of the Lease.
    ///
    /// @param seen when the term was first seen to be what it is
    record Observed(LeaderLease term, Instant seen) {}

    /// Decides.
    ///
    /// @param observed nothing when there is no Lease
    static LeaseAction decide(
            String me, Duration length, Optional<Observed> observed, Instant now) {
        if (observed.isEmpty()) {
            return new Create(new LeaderLease(me, length, Optional.of(now), Optional.of(now), 0));
        }
        var term = observed.get().term;
        if (term.holder().equals(me)) {
            return new Write(
                    new LeaderLease(
                            me, length, term.acquired(), Optional.of(now), term.transitions()));
        }
        var ends = observed.get().seen.plus(term.length());
        if (!term.isVacant() && ends.isAfter(now)) {
            return new Wait(term.holder());
        }
        return new Write(
                new LeaderLease(
                        me, length, Optional.of(now), Optional.of(now), term.transitions() + 1));
    }
}
