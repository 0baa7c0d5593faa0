package dev.berth.core.allocate;

import dev.berth.model.api.AllocationResult;
import java.util.List;

/// What became of a question to the allocator.
public sealed interface AllocationOutcome {

    /// How many places in the search were visited.
    long steps();

    /// All claims can have devices; one result a claim, in the order of the claims.
    record Allocated(List<AllocationResult> results, long steps) implements AllocationOutcome {
        public Allocated {
            results = List.copyOf(results);
        }
    }

    /// There is no way, and that is proved.
    record DoesNotFit(long steps) implements AllocationOutcome {}

    /// The question cannot be answered as it stands.
    ///
    /// @param nodeLocal true when other nodes may still answer
    record Failed(String message, boolean nodeLocal, long steps) implements AllocationOutcome {}

    /// The budget of steps ran out first.
    record Undecided(long steps) implements AllocationOutcome {}
}
