package dev.berth.core.allocate;

import dev.berth.model.api.claim.AllocationResult;
import java.util.List;

/// The outcome of an allocation request.
public sealed interface AllocationOutcome {

    /// The number of search steps.
    long steps();

    /// All claims are allocated: one result for each claim, in the order of the claims.
    record Allocated(List<AllocationResult> results, long steps) implements AllocationOutcome {
        public Allocated {
            results = List.copyOf(results);
        }
    }

    /// No allocation exists; the search proved it.
    record DoesNotFit(long steps) implements AllocationOutcome {}

    /// The request or the state of the cluster is invalid, so the search failed as in Kubernetes.
    ///
    /// @param nodeLocal true when the error concerns this node only and other nodes may succeed
    record Failed(String message, boolean nodeLocal, long steps) implements AllocationOutcome {}

    /// The search exceeded its step budget without a result.
    record Undecided(long steps) implements AllocationOutcome {}
}
