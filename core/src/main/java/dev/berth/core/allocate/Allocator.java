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

    /// Allocates in the order of Kubernetes, from a self-contained request.
    public AllocationOutcome allocate(AllocationRequest request, Supplier<String> shareIds) {
        return allocate(request, DeviceOrder.FIRST, shareIds);
    }

    /// Allocates from a self-contained request, without cached search results.
    public AllocationOutcome allocate(
            AllocationRequest request, DeviceOrder order, Supplier<String> shareIds) {
        return allocateWithReport(request, order, shareIds).outcome();
    }

    /// The same, with the errors that were tolerated.
    public AllocatorResponse allocateWithReport(
            AllocationRequest request, DeviceOrder order, Supplier<String> shareIds) {
        var rules = AllocatorFeature.rules(request.features());
        var pools = new ArrayList<PoolView>();
        for (var pool : Pool.all(request.slices(), rules)) {
            pool.viewFrom(request.node()).ifPresent(pools::add);
        }
        var classes = new LinkedHashMap<String, DeviceClass>();
        request.classes().forEach(c -> classes.put(c.metadata().name(), c));
        return allocateWithReport(
                request.node(),
                pools,
                new Attempt(
                        classes,
                        request.features(),
                        request.holdings(),
                        request.claims(),
                        shareIds,
                        new ToleratedErrors(leniencies),
                        false),
                order);
    }

    /// Allocates on one node in the order of Kubernetes. Search results of nodes with equal devices
    /// are reused.
    ///
    /// @param seen pools with devices that are accessible from the node, in any order
    /// @param shareIds supplies a new share ID for each share of a shareable device
    public AllocationOutcome allocate(
            Node node,
            List<PoolView> seen,
            Map<String, DeviceClass> classes,
            Set<AllocatorFeature> features,
            Holdings holdings,
            List<ResourceClaim> claims,
            Supplier<String> shareIds) {
        return allocate(
                node, seen, classes, features, holdings, claims, DeviceOrder.FIRST, shareIds);
    }

    /// Allocates on one node the devices that an order prefers.
    public AllocationOutcome allocate(
            Node node,
            List<PoolView> seen,
            Map<String, DeviceClass> classes,
            Set<AllocatorFeature> features,
            Holdings holdings,
            List<ResourceClaim> claims,
            DeviceOrder order,
            Supplier<String> shareIds) {
        return allocateWithReport(node, seen, classes, features, holdings, claims, order, shareIds)
                .outcome();
    }

    /// The same, with the errors that were tolerated.
    public AllocatorResponse allocateWithReport(
            Node node,
            List<PoolView> seen,
            Map<String, DeviceClass> classes,
            Set<AllocatorFeature> features,
            Holdings holdings,
            List<ResourceClaim> claims,
            DeviceOrder order,
            Supplier<String> shareIds) {
        var toleratedErrors = new ToleratedErrors(leniencies);
        return allocateWithReport(
                node,
                seen,
                new Attempt(
                        classes,
                        features,
                        holdings,
                        claims,
                        shareIds,
                        toleratedErrors,
                        leniencies.isEmpty()),
                order);
    }

    private AllocatorResponse allocateWithReport(
            Node node, List<PoolView> seen, Attempt attempt, DeviceOrder order) {
        for (var pool : seen) {
            if (pool.status() instanceof PoolView.Status.Malformed(var reason)) {
                return new AllocatorResponse(
                        new AllocationOutcome.Failed(pool.id() + ": " + reason, false, 0),
                        List.of());
            }
        }
        if (order == DeviceOrder.FIRST && leniencies.isEmpty()) {
            var fastPath = fastPath(node, seen, attempt);
            if (fastPath.isPresent()) {
                return new AllocatorResponse(fastPath.get(), List.of());
            }
        }
        var sharing = attempt.features.contains(AllocatorFeature.CONSUMABLE_CAPACITY);
        var nodeDevices = new NodeDevices(node, seen, sharing);
        var outcome =
                switch (order) {
                    case FIRST -> attempt(nodeDevices, attempt, Optional.empty());
                    case PACKED ->
                            attempt(
                                    nodeDevices.inOrder(
                                            PackingOrder.of(
                                                    nodeDevices,
                                                    attempt.holdings,
                                                    attempt.classes.values(),
                                                    selectorCache)),
                                    attempt.withoutCache(),
                                    Optional.empty());
                    case ALIGNED -> aligned(nodeDevices, attempt);
                };
        return new AllocatorResponse(outcome, attempt.toleratedErrors.tolerated());
    }

    /// Inputs that are the same for all search attempts of one request.
    ///
    /// @param usesCache whether results of earlier searches may be reused
    private record Attempt(
            Map<String, DeviceClass> classes,
            Set<AllocatorFeature> features,
            Holdings holdings,
            List<ResourceClaim> claims,
            Supplier<String> shareIds,
            ToleratedErrors toleratedErrors,
            boolean usesCache) {

        private Attempt withoutCache() {
            return new Attempt(
                    classes, features, holdings, claims, shareIds, toleratedErrors, false);
        }
    }

    /// The outcome of a request for a single device, which needs no search; empty for other
    /// requests.
    private Optional<AllocationOutcome> fastPath(Node node, List<PoolView> seen, Attempt attempt) {
        var cacheKey =
                SingleDeviceSearch.of(
                        node,
                        attempt.classes,
                        attempt.features,
                        attempt.holdings,
                        attempt.claims,
                        selectorCache);
        if (cacheKey.isEmpty()) {
            return Optional.empty();
        }
        var usable = NodeDevices.ordered(seen).stream().filter(PoolView::isUsable).toList();
        return switch (cacheKey.get().find(usable)) {
            case SingleDeviceSearch.Outcome.Found(var pool, var row) ->
                    Optional.of(
                            allocated(
                                    new NodeDevices(node, List.of(pool), false),
                                    attempt,
                                    cacheKey.get().solution(row),
                                    1));
            case SingleDeviceSearch.Outcome.NotFound _ -> Optional.of(doesNotFit(seen, 0));
            case SingleDeviceSearch.Outcome.NeedsFullSearch _ -> Optional.empty();
        };
    }

    private static AllocationOutcome allocated(
            NodeDevices nodeDevices, Attempt attempt, Solution solution, long steps) {
        var builder =
                new AllocationResultBuilder(
                        nodeDevices, attempt.classes, attempt.features, attempt.shareIds);
        return new AllocationOutcome.Allocated(builder.results(attempt.claims, solution), steps);
    }

    /// Devices with the best alignment. Tries alignment levels in order, each with a complete
    /// search.
    private AllocationOutcome aligned(NodeDevices nodeDevices, Attempt attempt) {
        for (var attribute : ALIGNMENT_ATTRIBUTES) {
            var outcome = attempt(nodeDevices, attempt, Optional.of(attribute));
            if (outcome instanceof AllocationOutcome.Allocated) {
                return outcome;
            }
        }
        return attempt(nodeDevices, attempt, Optional.empty());
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
        if (!attempt.usesCache) {
            return searched(nodeDevices, attempt, preferred);
        }
        var text =
                RequestProfile.Text.of(
                        attempt.claims, attempt.classes, attempt.features, preferred);
        var cacheKey = searchCache.key(text, nodeDevices, attempt.holdings);
        var cached = cacheKey.flatMap(searchCache::find);
        if (cached.isPresent()) {
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
                        attempt.classes,
                        attempt.features,
                        selectorCache,
                        attempt.holdings,
                        attempt.toleratedErrors);
        for (var i = 0; i < attempt.claims.size(); i++) {
            preparation.add(i, attempt.claims.get(i));
        }
        preferred.ifPresent(preparation::prefer);
        var prepared = preparation.finish(attempt.claims.size());
        var search = new DeviceSearch(nodeDevices, prepared.state(), prepared.requests(), budget);
        var outcome = search.run();
        return new SearchCache.Entry(outcome, search.steps());
    }

    private static AllocationOutcome doesNotFit(List<PoolView> seen, long steps) {
        var invalid =
                seen.stream().anyMatch(pool -> pool.status() instanceof PoolView.Status.Invalid);
        return invalid
                ? new AllocationOutcome.Failed(
                        "invalid resource pools were encountered", true, steps)
                : new AllocationOutcome.DoesNotFit(steps);
    }
}
