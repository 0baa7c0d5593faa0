package dev.berth.client.lead;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What a candidate does next.
///
/// Clocks of machines differ, so the times that a Lease says are never compared with ours: a term
/// counts from when we first saw it.
public sealed interface Move {

    /// Nobody has ever led: create the Lease.
    record Create(Term term) implements Move {}

    /// Take over, or go on: write the Lease.
    record Write(Term term) implements Move {}

    /// Somebody else leads.
    record Wait(String leader) implements Move {}

    /// What a candidate knows of the Lease.
    ///
    /// @param seen when the term was first seen to be what it is
    record Observed(Term term, Instant seen) {}

    /// Decides.
    ///
    /// @param observed nothing when there is no Lease
    static Move decide(String me, Duration length, Optional<Observed> observed, Instant now) {
        if (observed.isEmpty()) {
            return new Create(new Term(me, length, Optional.of(now), Optional.of(now), 0));
        }
        var term = observed.get().term;
        if (term.holder().equals(me)) {
            return new Write(
                    new Term(me, length, term.acquired(), Optional.of(now), term.transitions()));
        }
        var ends = observed.get().seen.plus(term.length());
        if (!term.isVacant() && ends.isAfter(now)) {
            return new Wait(term.holder());
        }
        return new Write(
                new Term(me, length, Optional.of(now), Optional.of(now), term.transitions() + 1));
    }
}
