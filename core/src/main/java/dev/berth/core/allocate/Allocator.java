package dev.berth.core.allocate;

import dev.berth.core.allocate.request.LocalityOrder;
import dev.berth.core.allocate.request.PackingOrder;
import dev.berth.core.allocate.request.RequestPreparation;
import dev.berth.core.allocate.request.RequestProfile;
import dev.berth.core.allocate.request.SearchCache;
import dev.berth.core.allocate.request.SingleDeviceSearch;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.allocate.rule.Leniency;
import dev.berth.core.allocate.rule.ToleratedErrors;
import dev.berth.core.allocate.search.DeviceSearch;
import dev.berth.core.allocate.search.Solution;
import dev.berth.core.allocate.selector.CompiledExpressions;
import dev.berth.core.allocate.selector.SelectorCache;
import dev.berth.core.allocate.state.NodeDevices;
import dev.berth.core.allocate.state.RemainingCapacity;
import dev.berth.core.inventory.PoolView;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// Allocates devices to the claims of a pod on a node: the devices that Kubernetes would choose, or
/// the proof that no allocation exists.
///
/// Caches compiled expressions and their results. Thread-safe.
public final class Allocator {

    /// Maximum number of search steps, sufficient for every request measured so far. A search that
    /// exceeds it ends with [AllocationOutcome.Undecided].
    public static final long DEFAULT_BUDGET = 2_000_000;

    /// Attributes that [DeviceOrder#ALIGNED] aligns devices by, closest alignment first.
    private static final List<String> ALIGNMENT_ATTRIBUTES =
            List.of("resource.kubernetes.io/pcieRoot", "resource.kubernetes.io/numaNode");

    private final SelectorCache selectorCache = new SelectorCache(new CompiledExpressions());
    private final SearchCache searchCache = new SearchCache(selectorCache);
    private final AllocatorCounters counters = new AllocatorCounters();
    private final long budget;
    private final Set<Leniency> leniencies;

    /// An allocator that fails where Kubernetes fails.
    public Allocator(long budget) {
        this(budget, Set.of());
    }

    /// An allocator that tolerates some errors on which Kubernetes fails.
    public Allocator(long budget, Set<Leniency> leniencies) {
        this.budget = budget;
        this.leniencies = Set.copyOf(leniencies);
    }

    /// Whether the allocator tolerates errors on which Kubernetes fails.
    public boolean isLenient() {
        return !leniencies.isEmpty();
    }

    /// The work of this allocator so far.
    public AllocatorStatistics statistics() {
        return counters.statistics();
    }

    /// The results of selectors, for others that select devices.
    public SelectorCache selectors() {
        return selectorCache;
    }

    /// Allocates devices to the claims of one pod on one node.
    ///
    /// @param shareIds supplies a new share ID for each share of a shareable device
    public AllocatorResponse allocate(NodeAllocationRequest request, Supplier<String> shareIds) {
        for (var pool : request.pools()) {
            if (pool.status() instanceof PoolView.Status.Malformed(var reason)) {
                return new AllocatorResponse(
                        new AllocationOutcome.Failed(pool.id() + ": " + reason, false, 0),
                        List.of());
            }
        }
        var attempt = new Attempt(request, shareIds, new ToleratedErrors(leniencies));
        if (request.order() == DeviceOrder.FIRST && leniencies.isEmpty()) {
            var fastPath = fastPath(attempt);
            if (fastPath.isPresent()) {
                counters.singleDevice();
                return new AllocatorResponse(fastPath.get(), List.of());
            }
        }
        var sharing = request.features().contains(AllocatorFeature.CONSUMABLE_CAPACITY);
        var nodeDevices = new NodeDevices(request.node(), request.pools(), sharing);
        var outcome =
                switch (request.order()) {
                    case FIRST -> attempt(nodeDevices, attempt, Optional.empty());
                    case PACKED -> packed(nodeDevices, attempt);
                    case ALIGNED -> aligned(nodeDevices, attempt);
                };
        return new AllocatorResponse(outcome, attempt.toleratedErrors.tolerated());
    }

    /// Inputs that are the same for all search attempts of one request.
    private record Attempt(
            NodeAllocationRequest request,
            Supplier<String> shareIds,
            ToleratedErrors toleratedErrors) {

        private Attempt withoutReuse() {
            return new Attempt(request.withoutReuse(), shareIds, toleratedErrors);
        }
    }

    /// The outcome of a request for a single device, which needs no search; empty for other
    /// requests.
    private Optional<AllocationOutcome> fastPath(Attempt attempt) {
        var request = attempt.request;
        var cacheKey =
                SingleDeviceSearch.of(
                        request.node(),
                        request.classes(),
                        request.features(),
                        request.holdings(),
                        request.claims(),
                        selectorCache);
        if (cacheKey.isEmpty()) {
            return Optional.empty();
        }
        var usable =
                NodeDevices.ordered(request.pools()).stream().filter(PoolView::isUsable).toList();
        return switch (cacheKey.get().find(usable)) {
            case SingleDeviceSearch.Outcome.Found(var pool, var row) ->
                    Optional.of(
                            allocated(
                                    new NodeDevices(request.node(), List.of(pool), false),
                                    attempt,
                                    cacheKey.get().solution(row),
                                    1));
            case SingleDeviceSearch.Outcome.NotFound _ ->
                    Optional.of(doesNotFit(request.pools(), 0));
            case SingleDeviceSearch.Outcome.NeedsFullSearch _ -> Optional.empty();
        };
    }

    private static AllocationOutcome allocated(
            NodeDevices nodeDevices, Attempt attempt, Solution solution, long steps) {
        var builder =
                new AllocationResultBuilder(
                        nodeDevices,
                        attempt.request.classes(),
                        attempt.request.features(),
                        attempt.shareIds);
        return new AllocationOutcome.Allocated(
                builder.results(attempt.request.claims(), solution), steps);
    }

    private AllocationOutcome packed(NodeDevices nodeDevices, Attempt attempt) {
        var request = attempt.request;
        var order =
                request.ranking()
                        .map(ranking ->
                                ranking.order(
                                        IntStream.range(0, nodeDevices.size())
                                                .mapToObj(nodeDevices::id)
                                                .toList()))
                        .orElseGet(() ->
                                PackingOrder.of(
                                        nodeDevices,
                                        request.holdings(),
                                        request.classes().values(),
                                        selectorCache));
        return attempt(nodeDevices.inOrder(order), attempt.withoutReuse(), Optional.empty());
    }

    /// Devices with the best alignment. Tries alignment levels in order, each with a complete
    /// search.
    ///
    /// Roots and NUMA nodes with little spare capacity come first, so that whole ones are left for
    /// pods with more devices.
    private AllocationOutcome aligned(NodeDevices nodeDevices, Attempt attempt) {
        var order = LocalityOrder.of(nodeDevices, attempt.request.holdings());
        if (order.isEmpty()) {
            return attempt(nodeDevices, attempt, Optional.empty());
        }
        var ordered = nodeDevices.inOrder(order.get());
        var anew = attempt.withoutReuse();
        for (var attribute : ALIGNMENT_ATTRIBUTES) {
            var outcome = attempt(ordered, anew, Optional.of(attribute));
            if (outcome instanceof AllocationOutcome.Allocated) {
                return outcome;
            }
        }
        var outcome = attempt(ordered, anew, Optional.empty());
        return outcome instanceof AllocationOutcome.Undecided
                ? attempt(nodeDevices, attempt, Optional.empty())
                : outcome;
    }

    private AllocationOutcome attempt(
            NodeDevices nodeDevices, Attempt attempt, Optional<String> preferred) {
        try {
            var entry = entry(nodeDevices, attempt, preferred);
            var steps = entry.steps();
            return switch (entry.outcome()) {
                case DeviceSearch.Outcome.Found(var solution) ->
                        allocated(nodeDevices, attempt, solution, steps);
                case DeviceSearch.Outcome.NotFound _ -> doesNotFit(nodeDevices.pools(), steps);
                case DeviceSearch.Outcome.Failed(var message) ->
                        new AllocationOutcome.Failed(message, false, steps);
                case DeviceSearch.Outcome.OutOfBudget _ -> new AllocationOutcome.Undecided(steps);
            };
        } catch (RequestPreparation.InvalidRequestException e) {
            return new AllocationOutcome.Failed(e.text(), false, 0);
        } catch (RemainingCapacity.UncountableException e) {
            return new AllocationOutcome.Failed(String.valueOf(e.getMessage()), true, 0);
        }
    }

    private SearchCache.Entry entry(
            NodeDevices nodeDevices, Attempt attempt, Optional<String> preferred) {
        if (!attempt.request.reusesResults() || !leniencies.isEmpty()) {
            return searched(nodeDevices, attempt, preferred);
        }
        var request =
                new RequestProfile.Input(
                        attempt.request.claims(),
                        attempt.request.classes(),
                        attempt.request.features(),
                        preferred);
        var cacheKey = searchCache.key(request, nodeDevices, attempt.request.holdings());
        var cached = cacheKey.flatMap(searchCache::find);
        if (cached.isPresent()) {
            counters.cached();
            return cached.get();
        }
        var entry = searched(nodeDevices, attempt, preferred);
        cacheKey.ifPresent(key -> searchCache.put(key, entry));
        return entry;
    }

    private SearchCache.Entry searched(
            NodeDevices nodeDevices, Attempt attempt, Optional<String> preferred) {
        var preparation =
                new RequestPreparation(
                        nodeDevices,
                        attempt.request.classes(),
                        attempt.request.features(),
                        selectorCache,
                        attempt.request.holdings(),
                        attempt.toleratedErrors);
        for (var i = 0; i < attempt.request.claims().size(); i++) {
            preparation.add(i, attempt.request.claims().get(i));
        }
        preferred.ifPresent(preparation::prefer);
        var prepared = preparation.finish(attempt.request.claims().size());
        var search = new DeviceSearch(nodeDevices, prepared.state(), prepared.requests(), budget);
        var outcome = search.run();
        counters.searched(search, outcome);
        return new SearchCache.Entry(outcome, search.steps());
    }

    private static AllocationOutcome doesNotFit(List<PoolView> seen, long steps) {
        for (var pool : seen) {
            if (pool.status() instanceof PoolView.Status.Invalid) {
                return new AllocationOutcome.Failed(
                        "invalid resource pools were encountered", true, steps);
            }
        }
        return new AllocationOutcome.DoesNotFit(steps);
    }
}
