package dev.berth.testkit.twin;

import dev.berth.core.allocate.AllocationQuestion;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.allocate.Answer;
import dev.berth.core.allocate.Leniency;
import dev.berth.testkit.cel.Expressions;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// The allocator's slow, obvious twin: the rules of Kubernetes one by one, with nothing remembered
/// and nothing undone.
///
/// Time grows exponentially with the number of devices; it is for small questions.
public final class SlowAllocator {

    private final Expressions expressions;
    private final long budget;
    private final Set<Leniency> leniencies;

    public SlowAllocator() {
        this(new Expressions(), Long.MAX_VALUE);
    }

    /// An allocator that gives up.
    ///
    /// @param budget how many steps a search may take
    public SlowAllocator(Expressions expressions, long budget) {
        this(expressions, budget, Set.of());
    }

    /// An allocator that gives up, and is kinder than Kubernetes in some respects.
    public SlowAllocator(Expressions expressions, long budget, Set<Leniency> leniencies) {
        this.expressions = expressions;
        this.budget = budget;
        this.leniencies = Set.copyOf(leniencies);
    }

    /// Answers as Kubernetes does, in as many steps.
    ///
    /// @param shareIds gives a fresh id for each share that is tried
    public Answer answer(AllocationQuestion question, Supplier<String> shareIds) {
        var selectors = new Selectors(question, expressions, leniencies);
        var capacities = new Capacities(has(question, AllocatorFeature.FRACTIONAL_CAPACITY_RANGE));
        var constraints =
                new Constraints(
                        has(question, AllocatorFeature.LIST_TYPE_ATTRIBUTES),
                        expressions,
                        leniencies.contains(Leniency.TOLERATE_SELECTOR_ERRORS));
        try {
            var pools = new PoolGathering(question).gather();
            var requests = new Preparation(question, pools, selectors, capacities).prepare();
            var placing = new Placing(question, capacities, constraints, shareIds);
            var search =
                    new Search(question, requests, candidates(pools), selectors, placing, budget);
            return answer(question, pools, requests, search);
        } catch (Fatal fault) {
            return new Answer.Failed(fault.fault(), false, 0);
        }
    }

    private Answer answer(
            AllocationQuestion question,
            List<Pool> pools,
            List<List<PreparedRequest>> requests,
            Search search) {
        try {
            return switch (search.run()) {
                case Search.Outcome.Solved(var taken) ->
                        new Answer.Allocated(
                                new Results(question, requests, taken).results(), search.steps());
                case Search.Outcome.NoSolution _ -> noSolution(pools, search.steps());
                case Search.Outcome.OverLimit _ ->
                        new Answer.Failed("allocation max size exceeded", false, search.steps());
            };
        } catch (OutOfSteps _) {
            return new Answer.Undecided(search.steps());
        } catch (Fatal fault) {
            return new Answer.Failed(fault.fault(), false, search.steps());
        }
    }

    private static Answer noSolution(List<Pool> pools, long steps) {
        return pools.stream().anyMatch(pool -> pool.state() == Pool.State.INVALID)
                ? new Answer.Failed("invalid resource pools were encountered", true, steps)
                : new Answer.DoesNotFit(steps);
    }

    private static List<Candidate> candidates(List<Pool> pools) {
        return pools.stream().flatMap(pool -> pool.candidates().stream()).toList();
    }

    private static boolean has(AllocationQuestion question, AllocatorFeature feature) {
        return question.features().contains(feature);
    }
}
