package dev.berth.core.testkit.reference;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.allocate.rule.Leniency;
import dev.berth.core.testkit.cel.ReferenceExpressions;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// Reference allocator: a slow, obvious implementation of the rules of Kubernetes, without caches,
/// pruning or undo.
///
/// Its time is exponential in the number of devices, so it is for small requests only.
public final class ReferenceAllocator {

    private final ReferenceExpressions expressions;
    private final long budget;
    private final Set<Leniency> leniencies;

    public ReferenceAllocator() {
        this(new ReferenceExpressions(), Long.MAX_VALUE);
    }

    /// An allocator with a step limit.
    ///
    /// @param budget maximum number of search steps
    public ReferenceAllocator(ReferenceExpressions expressions, long budget) {
        this(expressions, budget, Set.of());
    }

    /// An allocator with a step limit that tolerates some errors on which Kubernetes fails.
    public ReferenceAllocator(
            ReferenceExpressions expressions, long budget, Set<Leniency> leniencies) {
        this.expressions = expressions;
        this.budget = budget;
        this.leniencies = Set.copyOf(leniencies);
    }

    /// Allocates as Kubernetes does, in the same number of steps.
    ///
    /// @param shareIds supplies a new ID for each share that is tried
    public AllocationOutcome allocate(
            AllocationRequest allocationRequest, Supplier<String> shareIds) {
        var selectors = new ReferenceSelectors(allocationRequest, expressions, leniencies);
        var capacities =
                new ReferenceCapacities(
                        has(allocationRequest, AllocatorFeature.FRACTIONAL_CAPACITY_RANGE));
        var constraints =
                new ReferenceConstraints(
                        has(allocationRequest, AllocatorFeature.LIST_TYPE_ATTRIBUTES),
                        expressions,
                        leniencies.contains(Leniency.TOLERATE_SELECTOR_ERRORS));
        try {
            var pools = new ReferencePools(allocationRequest).gather();
            var requests =
                    new ReferencePreparation(allocationRequest, pools, selectors, capacities)
                            .prepare();
            var feasibility =
                    new DeviceFeasibility(allocationRequest, capacities, constraints, shareIds);
            var search =
                    new ReferenceSearch(
                            allocationRequest,
                            requests,
                            candidates(pools),
                            selectors,
                            feasibility,
                            budget);
            return allocate(allocationRequest, pools, requests, search);
        } catch (AllocationFault fault) {
            return new AllocationOutcome.Failed(fault.fault(), false, 0);
        }
    }

    private AllocationOutcome allocate(
            AllocationRequest allocationRequest,
            List<ReferencePool> pools,
            List<List<ReferenceRequest>> requests,
            ReferenceSearch search) {
        try {
            return switch (search.run()) {
                case ReferenceSearch.Outcome.Solved(var state) ->
                        new AllocationOutcome.Allocated(
                                new ReferenceResults(allocationRequest, requests, state).results(),
                                search.steps());
                case ReferenceSearch.Outcome.NoSolution _ -> noSolution(pools, search.steps());
                case ReferenceSearch.Outcome.OverLimit _ ->
                        new AllocationOutcome.Failed(
                                "allocation max size exceeded", false, search.steps());
            };
        } catch (StepLimitExceeded _) {
            return new AllocationOutcome.Undecided(search.steps());
        } catch (AllocationFault fault) {
            return new AllocationOutcome.Failed(fault.fault(), false, search.steps());
        }
    }

    private static AllocationOutcome noSolution(List<ReferencePool> pools, long steps) {
        return pools.stream().anyMatch(pool -> pool.state() == ReferencePool.State.INVALID)
                ? new AllocationOutcome.Failed(
                        "invalid resource pools were encountered", true, steps)
                : new AllocationOutcome.DoesNotFit(steps);
    }

    private static List<ReferenceCandidate> candidates(List<ReferencePool> pools) {
        return pools.stream().flatMap(pool -> pool.candidates().stream()).toList();
    }

    private static boolean has(AllocationRequest allocationRequest, AllocatorFeature feature) {
        return allocationRequest.features().contains(feature);
    }
}
