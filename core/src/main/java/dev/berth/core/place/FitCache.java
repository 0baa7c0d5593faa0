package dev.berth.core.place;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.core.place.pack.DemandTracker;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.meta.ObjectRef;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Caches which nodes fit pods of one cache key. For the next pod with an equal key, only nodes
/// that changed since are evaluated again. Few nodes change between two pods, so that the
/// evaluation of thousands of nodes costs little more than that of one.
///
/// The results equal those of a [PodEvaluation] without a cache.
public final class FitCache {

    /// Bound of cached node results over all keys; the least recently used key is evicted first. A
    /// result takes about half a kilobyte.
    private static final int MAX_RESULTS = 200_000;

    private final PlacementRules rules;

    // Guarded by this, like the device results and the total size.
    private final Map<PlacementCacheKey, NodeFits> known = new LinkedHashMap<>(16, 0.75f, true);
    private final DeviceResultCache devices = new DeviceResultCache();
    private long remembered;
    private final Optional<DemandTracker> demandTracker;

    public FitCache(PlacementRules rules) {
        this.rules = rules;
        this.demandTracker =
                rules.policy().packs()
                        ? Optional.of(
                                new DemandTracker(
                                        rules.allocator().selectors(),
                                        PlacementFeatures.rules(rules.features())))
                        : Optional.empty();
    }

    /// Evaluates a request on all nodes.
    public synchronized NodeFits evaluate(PlacementRequest request, ClusterSnapshot snapshot) {
        var context = EvaluationContext.of(request, snapshot);
        // One look-up: hash code and comparison of a key cost as much as the evaluation of a node.
        var nodeFits =
                known.compute(
                        PlacementCacheKey.ofNodeScope(context),
                        (_, before) -> updated(context, Optional.ofNullable(before)));
        evict();
        return nodeFits;
    }

    private NodeFits updated(EvaluationContext context, Optional<NodeFits> before) {
        var request = context.request();
        var snapshot = context.snapshot();
        var scopedFits = before.map(NodeFits::scopedFits).orElse(PersistentSortedMap.of());
        var candidates = before.map(NodeFits::candidates).orElse(PersistentSortedMap.of());
        var evaluation =
                new PodEvaluation(
                        context, rules, devices.of(context, rules.policy()), demandTracker);
        var ranking = ranking(evaluation, before, candidates);
        candidates = ranking.candidates;
        var ranked = ranking.ranked;
        var hasFaults = before.filter(NodeFits::hasFaults).isPresent();
        for (var name : stale(request, snapshot, before)) {
            var node = snapshot.inventory().node(name);
            var scopedFit = node.map(evaluation::nodeScopedFit);
            scopedFits =
                    scopedFit.isPresent()
                            ? scopedFits.with(name, scopedFit.get())
                            : scopedFits.without(name);
            var old = candidates.find(name);
            if (old.isPresent()) {
                candidates = candidates.without(name);
                ranked = ranked.without(evaluation.ranked(old.get()));
            }
            if (scopedFit.isPresent()
                    && scopedFit.get() instanceof NodeScopedFit.Candidate candidate) {
                candidates = candidates.with(name, candidate);
                ranked =
                        rules.policy().ranksNodes()
                                ? ranked.with(evaluation.ranked(candidate), candidate)
                                : ranked;
            }
            hasFaults |= scopedFit.filter(FitCache::isFault).isPresent();
        }
        remembered += scopedFits.size() - before.map(NodeFits::size).orElse(0);
        return new NodeFits(
                request, snapshot, rules, evaluation, scopedFits, candidates, ranked, hasFaults);
    }

    /// Candidates by name and by rank.
    private record Ranking(
            PersistentSortedMap<String, NodeScopedFit.Candidate> candidates,
            PersistentSortedMap<RankedNode, NodeScopedFit.Candidate> ranked) {}

    /// The earlier ranking, or a new one if the demand of pods changed: then costs are computed
    /// again, but no node is evaluated.
    private static Ranking ranking(
            PodEvaluation evaluation,
            Optional<NodeFits> before,
            PersistentSortedMap<String, NodeScopedFit.Candidate> candidates) {
        var packing = evaluation.packing();
        if (packing.isEmpty()
                || before.flatMap(NodeFits::packing)
                        .filter(packing.get()::hasDemandOf)
                        .isPresent()) {
            return new Ranking(
                    candidates, before.map(NodeFits::ranked).orElse(PersistentSortedMap.of()));
        }
        var byName = new TreeMap<String, NodeScopedFit.Candidate>();
        var byRank = new TreeMap<RankedNode, NodeScopedFit.Candidate>();
        candidates.forEach((name, candidate) -> {
            var now =
                    before.flatMap(NodeFits::packing).filter(packing.get()::hasKindsOf).isPresent()
                            ? candidate
                            : evaluation.withFreeCapacity(candidate);
            byName.put(name, now);
            byRank.put(evaluation.ranked(now), now);
        });
        return new Ranking(PersistentSortedMap.of(byName), PersistentSortedMap.of(byRank));
    }

    private static boolean isFault(NodeScopedFit scopedFit) {
        return scopedFit instanceof NodeScopedFit.Rejected(_, _, Rejection.Fault _);
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
                        if (isFault(scopedFit)) {
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
                || (!PodDeviceAllocation.mayUseExtendedResources(request.pod())
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

    private void evict() {
        var oldest = known.entrySet().iterator();
        while (remembered > MAX_RESULTS && known.size() > 1) {
            remembered -= oldest.next().getValue().size();
            oldest.remove();
        }
    }
}
