package dev.berth.testkit.reference;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.allocate.Leniency;
import dev.berth.testkit.cel.ReferenceExpressions;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// The allocator's slow, obvious twin: the rules of Kubernetes one by one, with nothing remembered
/// and nothing undone.
///
/// Time grows exponentially with the number of devices; it is for small questions.
public final class ReferenceAllocator {

    private final ReferenceExpressions expressions;
    private final long budget;
    private final Set<Leniency> leniencies;

    public ReferenceAllocator() {
        this(new ReferenceExpressions(), Long.MAX_VALUE);
    }

    /// An allocator that gives up.
    ///
    /// @param budget how many steps a search may take
    public ReferenceAllocator(ReferenceExpressions expressions, long budget) {
        this(expressions, budget, Set.of());
    }

    /// An allocator that gives up, and is kinder than Kubernetes in some respects.
    public ReferenceAllocator(
            ReferenceExpressions expressions, long budget, Set<Leniency> leniencies) {
        this.expressions = expressions;
        this.budget = budget;
        this.leniencies = Set.copyOf(leniencies);
    }

    /// Answers as Kubernetes does, in as many steps.
    ///
    /// @param shareIds gives a fresh id for each share that is tried
    public AllocationOutcome allocate(AllocationRequest question, Supplier<String> shareIds) {
        var selectors = new ReferenceSelectors(question, expressions, leniencies);
        var capacities =
                new ReferenceCapacities(has(question, AllocatorFeature.FRACTIONAL_CAPACITY_RANGE));
        var constraints =
                new ReferenceConstraints(
                        has(question, AllocatorFeature.LIST_TYPE_ATTRIBUTES),
                        expressions,
                        leniencies.contains(Leniency.TOLERATE_SELECTOR_ERRORS));
        try {
            var pools = new ReferencePools(question).gather();
            var requests =
                    new ReferencePreparation(question, pools, selectors, capacities).prepare();
            var placing = new DeviceFeasibility(question, capacities, constraints, shareIds);
            var search =
                    new ReferenceSearch(
                            question, requests, candidates(pools), selectors, placing, budget);
            return allocate(question, pools, requests, search);
        } catch (AllocationFault fault) {
            return new AllocationOutcome.Failed(fault.fault(), false, 0);
        }
    }

    private AllocationOutcome allocate(
            AllocationRequest question,
            List<ReferencePool> pools,
            List<List<ReferenceRequest>> requests,
            ReferenceSearch search) {
        try {
            return switch (search.run()) {
                case ReferenceSearch.Outcome.Solved(var taken) ->
                        new AllocationOutcome.Allocated(
                                new ReferenceResults(question, requests, taken).results(),
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

    private static boolean has(AllocationRequest question, AllocatorFeature feature) {
        return question.features().contains(feature);
    }
}
