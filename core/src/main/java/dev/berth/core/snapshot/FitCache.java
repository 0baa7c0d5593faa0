package dev.berth.core.snapshot;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.allocate.SearchPolicy;
import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.core.place.NodeFit;
import dev.berth.core.place.PlacementCacheKey;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PodPlacer;
import dev.berth.model.api.DeviceDemand;
import dev.berth.model.api.DeviceRequest;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceClaimSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Caches which nodes fit pods of one cache key. For the next pod with an equal key, only nodes
/// that changed since are evaluated again. Few nodes change between two pods, so that the
/// evaluation of thousands of nodes costs little more than that of one.
///
/// The results equal those of a [PodPlacer] without a cache.
public final class FitCache {

    /// Bound of cached node results over all keys; the least recently used key is evicted first. A
    /// result takes about half a kilobyte.
    private static final int MAX_VERDICTS = 200_000;

    private final Allocator allocator;
    private final Set<AllocatorFeature> features;
    private final SearchPolicy policy;
    private final Supplier<String> shareIds;

    // Guarded by this, like its total size.
    private final Map<PlacementCacheKey, NodeFits> known = new LinkedHashMap<>(16, 0.75f, true);
    private long remembered;

    /// A cache for these features and this policy; the features must be those of all snapshots it
    /// evaluates.
    ///
    /// @param shareIds generates a new share ID per call
    public FitCache(
            Allocator allocator,
            Set<AllocatorFeature> features,
            SearchPolicy policy,
            Supplier<String> shareIds) {
        this.allocator = allocator;
        this.features = Set.copyOf(features);
        this.policy = policy;
        this.shareIds = shareIds;
    }

    /// Evaluates a request on all nodes.
    public synchronized NodeFits evaluate(PlacementRequest request, ClusterSnapshot snapshot) {
        var cacheKey = request.cacheKey();
        var before = Optional.ofNullable(known.get(cacheKey));
        var scopedFits = before.map(NodeFits::scopedFits).orElse(PersistentSortedMap.of());
        var candidates = before.map(NodeFits::candidates).orElse(PersistentSortedMap.of());
        var evaluation = placer(snapshot).evaluation(request, snapshot.usage());
        var hasFaults = before.filter(NodeFits::hasFaults).isPresent();
        for (var name : stale(request, snapshot, before)) {
            var node = snapshot.inventory().node(name);
            if (node.isPresent()) {
                var scopedFit = evaluation.nodeScopedFit(node.get());
                scopedFits = scopedFits.with(name, scopedFit);
                candidates =
                        scopedFit.mayFit()
                                ? candidates.with(name, scopedFit)
                                : candidates.without(name);
                hasFaults |= scopedFit.isFault();
            } else {
                scopedFits = scopedFits.without(name);
                candidates = candidates.without(name);
            }
        }
        var nodeFits =
                new NodeFits(request, snapshot, evaluation, scopedFits, candidates, hasFaults);
        remember(cacheKey, nodeFits);
        return nodeFits;
    }

    /// The nodes to evaluate again.
    private static Set<String> stale(
            PlacementRequest request, ClusterSnapshot snapshot, Optional<NodeFits> before) {
        if (before.isEmpty() || !hasSameClasses(request, snapshot, before.get().snapshot())) {
            var all = new TreeSet<String>();
            before.ifPresent(old -> old.scopedFits().forEach((node, _) -> all.add(node)));
            snapshot.inventory().nodes().forEach(node -> all.add(node.name()));
            return all;
        }
        var changed = snapshot.changesSince(before.get().snapshot());
        if (before.get().hasFaults() && !names(request).equals(names(before.get().request()))) {
            // Error messages name the claims of another pod.
            before.get()
                    .scopedFits()
                    .forEach((node, scopedFit) -> {
                        if (scopedFit.isFault()) {
                            changed.add(node);
                        }
                    });
        }
        return changed;
    }

    private static List<ObjectRef> names(PlacementRequest request) {
        return request.toAllocate().stream().map(ResourceClaim::ref).toList();
    }

    private static boolean hasSameClasses(
            PlacementRequest request, ClusterSnapshot a, ClusterSnapshot b) {
        var ofA = a.inventory().classes();
        var ofB = b.inventory().classes();
        return ofA.equals(ofB)
                || (!request.cacheKey().mayUseExtendedResources()
                        && request.toAllocate().stream()
                                .map(ResourceClaim::spec)
                                .flatMap(FitCache::demands)
                                .map(DeviceDemand::deviceClassName)
                                .allMatch(name -> Objects.equals(ofA.get(name), ofB.get(name))));
    }

    private static Stream<DeviceDemand> demands(ResourceClaimSpec spec) {
        return spec.requests().stream()
                .flatMap(request ->
                        switch (request) {
                            case DeviceRequest.Exactly exactly -> Stream.of(exactly.demand());
                            case DeviceRequest.FirstAvailable list ->
                                    list.alternatives().stream().map(one -> one.demand());
                            case DeviceRequest.Unrecognised _ -> Stream.empty();
                        });
    }

    private void remember(PlacementCacheKey cacheKey, NodeFits nodeFits) {
        var replaced = known.put(cacheKey, nodeFits);
        remembered += nodeFits.scopedFits().size();
        remembered -= replaced == null ? 0 : replaced.scopedFits().size();
        var oldest = known.entrySet().iterator();
        while (remembered > MAX_VERDICTS && known.size() > 1) {
            remembered -= oldest.next().getValue().scopedFits().size();
            oldest.remove();
        }
    }

    private PodPlacer placer(ClusterSnapshot snapshot) {
        return new PodPlacer(
                snapshot.inventory(), snapshot.context(), allocator, features, policy, shareIds);
    }

    /// The chosen node, with new share IDs; empty when none fits or an error rules out all nodes.
    public Optional<NodeFit.Fits> choose(NodeFits nodeFits) {
        var state = nodeFits.snapshot().usage();
        return placer(nodeFits.snapshot())
                .choose(nodeFits.request(), nodeFits.perNode(), state)
                .flatMap(fits -> fresh(nodeFits, fits));
    }

    /// The result of one fitting node with new share IDs.
    public Optional<NodeFit.Fits> fresh(NodeFits nodeFits, NodeFit.Fits fits) {
        var hasShares =
                fits.allocations().stream()
                        .flatMap(allocation -> allocation.result().devices().stream())
                        .anyMatch(device -> device.share().isPresent());
        if (!hasShares) {
            return Optional.of(fits);
        }
        var snapshot = nodeFits.snapshot();
        var node = snapshot.inventory().node(fits.node()).orElseThrow();
        var evaluation = placer(snapshot).evaluation(nodeFits.request(), snapshot.usage());
        var fit = evaluation.fit(node);
        return fit instanceof NodeFit.Fits again ? Optional.of(again) : Optional.empty();
    }
}
