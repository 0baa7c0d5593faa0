package dev.berth.core.allocate;

import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.Node;
import dev.berth.model.api.ResourceClaim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// Finds devices for the claims of a pod on a node: the ones that Kubernetes would choose, or the
/// proof that there are none.
///
/// Keeps compiled expressions and what they said of devices, and may be shared by threads.
public final class Allocator {

    /// Enough for every question that has been seen; beyond it the answer is
    /// [AllocationOutcome.Undecided].
    public static final long DEFAULT_BUDGET = 2_000_000;

    /// What devices have in common that are close to each other, closest first.
    private static final List<String> CLOSENESS =
            List.of("resource.kubernetes.io/pcieRoot", "resource.kubernetes.io/numaNode");

    private final SelectorCache selections = new SelectorCache(new CompiledExpressions());
    private final SearchCache precedents = new SearchCache(selections);
    private final long budget;
    private final Set<Leniency> leniencies;

    /// An allocator that fails where Kubernetes fails.
    public Allocator(long budget) {
        this(budget, Set.of());
    }

    /// An allocator that is kinder than Kubernetes in some respects.
    public Allocator(long budget, Set<Leniency> leniencies) {
        this.budget = budget;
        this.leniencies = Set.copyOf(leniencies);
    }

    /// True when something may be tolerated for which Kubernetes would give up.
    public boolean isLenient() {
        return !leniencies.isEmpty();
    }

    /// Answers a question that comes with everything it needs, as Kubernetes would.
    public AllocationOutcome answer(AllocationRequest question, Supplier<String> shareIds) {
        return answer(question, SearchPolicy.KUBERNETES, shareIds);
    }

    /// Answers a question that comes with everything it needs, by a search of its own.
    public AllocationOutcome answer(
            AllocationRequest question, SearchPolicy policy, Supplier<String> shareIds) {
        return reply(question, policy, shareIds).answer();
    }

    /// The same, with the errors that were tolerated.
    public AllocatorResponse reply(
            AllocationRequest question, SearchPolicy policy, Supplier<String> shareIds) {
        var rules = AllocatorFeature.rules(question.features());
        var pools = new ArrayList<PoolView>();
        for (var pool : Pool.all(question.slices(), rules)) {
            pool.seenFrom(question.node()).ifPresent(pools::add);
        }
        var classes = new LinkedHashMap<String, DeviceClass>();
        question.classes().forEach(c -> classes.put(c.metadata().name(), c));
        return reply(
                question.node(),
                pools,
                new Attempt(
                        classes,
                        question.features(),
                        question.holdings(),
                        question.claims(),
                        shareIds,
                        new ToleratedErrors(leniencies),
                        false),
                policy);
    }

    /// Answers for one node, as Kubernetes would. What was found on another that looks the same is
    /// not searched for again.
    ///
    /// @param seen the pools that the node sees, in any order
    /// @param shareIds a fresh id a call, for shares of devices
    public AllocationOutcome answer(
            Node node,
            List<PoolView> seen,
            Map<String, DeviceClass> classes,
            Set<AllocatorFeature> features,
            Holdings holdings,
            List<ResourceClaim> claims,
            Supplier<String> shareIds) {
        return answer(
                node, seen, classes, features, holdings, claims, SearchPolicy.KUBERNETES, shareIds);
    }

    /// Answers for one node with the allocation that a policy prefers.
    public AllocationOutcome answer(
            Node node,
            List<PoolView> seen,
            Map<String, DeviceClass> classes,
            Set<AllocatorFeature> features,
            Holdings holdings,
            List<ResourceClaim> claims,
            SearchPolicy policy,
            Supplier<String> shareIds) {
        return reply(node, seen, classes, features, holdings, claims, policy, shareIds).answer();
    }

    /// The same, with the errors that were tolerated.
    public AllocatorResponse reply(
            Node node,
            List<PoolView> seen,
            Map<String, DeviceClass> classes,
            Set<AllocatorFeature> features,
            Holdings holdings,
            List<ResourceClaim> claims,
            SearchPolicy policy,
            Supplier<String> shareIds) {
        var tolerance = new ToleratedErrors(leniencies);
        return reply(
                node,
                seen,
                new Attempt(
                        classes,
                        features,
                        holdings,
                        claims,
                        shareIds,
                        tolerance,
                        leniencies.isEmpty()),
                policy);
    }

    private AllocatorResponse reply(
            Node node, List<PoolView> seen, Attempt attempt, SearchPolicy policy) {
        for (var pool : seen) {
            if (pool.status() instanceof PoolView.Status.Malformed(var reason)) {
                return new AllocatorResponse(
                        new AllocationOutcome.Failed(pool.id() + ": " + reason, false, 0),
                        List.of());
            }
        }
        if (policy == SearchPolicy.KUBERNETES && leniencies.isEmpty()) {
            var quick = quick(node, seen, attempt);
            if (quick.isPresent()) {
                return new AllocatorResponse(quick.get(), List.of());
            }
        }
        var sharing = attempt.features.contains(AllocatorFeature.CONSUMABLE_CAPACITY);
        var arena = new NodeDevices(node, seen, sharing);
        var answer =
                switch (policy) {
                    case KUBERNETES -> attempt(arena, attempt, Optional.empty());
                    case PACK ->
                            attempt(
                                    arena.inOrder(
                                            PackingOrder.of(
                                                    arena,
                                                    attempt.holdings,
                                                    attempt.classes.values(),
                                                    selections)),
                                    attempt.anew(),
                                    Optional.empty());
                    case ALIGNED -> aligned(arena, attempt);
                };
        return new AllocatorResponse(answer, attempt.tolerance.tolerated());
    }

    /// What does not change between the attempts at one question.
    ///
    /// @param remembers whether what came of earlier searches will do
    private record Attempt(
            Map<String, DeviceClass> classes,
            Set<AllocatorFeature> features,
            Holdings holdings,
            List<ResourceClaim> claims,
            Supplier<String> shareIds,
            ToleratedErrors tolerance,
            boolean remembers) {

        private Attempt anew() {
            return new Attempt(classes, features, holdings, claims, shareIds, tolerance, false);
        }
    }

    /// The answer where it takes no search to find it.
    private Optional<AllocationOutcome> quick(Node node, List<PoolView> seen, Attempt attempt) {
        var one =
                SingleDeviceSearch.of(
                        node,
                        attempt.classes,
                        attempt.features,
                        attempt.holdings,
                        attempt.claims,
                        selections);
        if (one.isEmpty()) {
            return Optional.empty();
        }
        var usable = NodeDevices.ordered(seen).stream().filter(PoolView::isUsable).toList();
        return switch (one.get().find(usable)) {
            case SingleDeviceSearch.Finding.Found(var pool, var row) ->
                    Optional.of(
                            allocated(
                                    new NodeDevices(node, List.of(pool), false),
                                    attempt,
                                    one.get().solution(row),
                                    1));
            case SingleDeviceSearch.Finding.Nothing _ -> Optional.of(nothing(seen, 0));
            case SingleDeviceSearch.Finding.Unclear _ -> Optional.empty();
        };
    }

    private static AllocationOutcome allocated(
            NodeDevices arena, Attempt attempt, Solution solution, long steps) {
        var builder =
                new AllocationResultBuilder(
                        arena, attempt.classes, attempt.features, attempt.shareIds);
        return new AllocationOutcome.Allocated(builder.results(attempt.claims, solution), steps);
    }

    /// The closest that can be had; each attempt is a whole search, so none is missed.
    private AllocationOutcome aligned(NodeDevices arena, Attempt attempt) {
        for (var attribute : CLOSENESS) {
            var answer = attempt(arena, attempt, Optional.of(attribute));
            if (answer instanceof AllocationOutcome.Allocated) {
                return answer;
            }
        }
        return attempt(arena, attempt, Optional.empty());
    }

    private AllocationOutcome attempt(
            NodeDevices arena, Attempt attempt, Optional<String> preferred) {
        try {
            var ruling = ruling(arena, attempt, preferred);
            var steps = ruling.steps();
            return switch (ruling.finding()) {
                case DeviceSearch.Finding.Found(var solution) ->
                        allocated(arena, attempt, solution, steps);
                case DeviceSearch.Finding.Nothing _ -> nothing(arena.pools(), steps);
                case DeviceSearch.Finding.Fault(var message) ->
                        new AllocationOutcome.Failed(message, false, steps);
                case DeviceSearch.Finding.OutOfBudget _ -> new AllocationOutcome.Undecided(steps);
            };
        } catch (RequestPreparation.Refusal e) {
            return new AllocationOutcome.Failed(e.text(), false, 0);
        } catch (RemainingCapacity.Uncountable e) {
            return new AllocationOutcome.Failed(String.valueOf(e.getMessage()), true, 0);
        }
    }

    private SearchCache.Ruling ruling(
            NodeDevices arena, Attempt attempt, Optional<String> preferred) {
        if (!attempt.remembers) {
            return searched(arena, attempt, preferred);
        }
        var text =
                RequestProfile.Text.of(
                        attempt.claims, attempt.classes, attempt.features, preferred);
        var one = precedents.of(text, arena, attempt.holdings);
        var known = one.flatMap(precedents::find);
        if (known.isPresent()) {
            return known.get();
        }
        var ruling = searched(arena, attempt, preferred);
        one.ifPresent(it -> precedents.keep(it, ruling));
        return ruling;
    }

    private SearchCache.Ruling searched(
            NodeDevices arena, Attempt attempt, Optional<String> preferred) {
        var preparation =
                new RequestPreparation(
                        arena,
                        attempt.classes,
                        attempt.features,
                        selections,
                        attempt.holdings,
                        attempt.tolerance);
        for (var i = 0; i < attempt.claims.size(); i++) {
            preparation.add(i, attempt.claims.get(i));
        }
        preferred.ifPresent(preparation::prefer);
        var prepared = preparation.finish(attempt.claims.size());
        var search = new DeviceSearch(arena, prepared.state(), prepared.requests(), budget);
        var finding = search.run();
        return new SearchCache.Ruling(finding, search.steps());
    }

    private static AllocationOutcome nothing(List<PoolView> seen, long steps) {
        var invalid =
                seen.stream().anyMatch(pool -> pool.status() instanceof PoolView.Status.Invalid);
        return invalid
                ? new AllocationOutcome.Failed(
                        "invalid resource pools were encountered", true, steps)
                : new AllocationOutcome.DoesNotFit(steps);
    }
}
