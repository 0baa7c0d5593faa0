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

/// Says which nodes fit a pod, and remembers it: when the next pod of the same shape comes, only
/// nodes are asked again for which something has changed since. A cluster changes in few places
/// between two pods, so that the answer over thousands of nodes costs little more than one node.
///
/// The verdicts are those that a [PodPlacer] gives that remembers nothing.
public final class FitCache {

    /// Verdicts remembered, of all shapes together; the shape that was asked for longest ago goes
    /// first. A verdict takes about half a kilobyte.
    private static final int MAX_VERDICTS = 200_000;

    private final Allocator allocator;
    private final Set<AllocatorFeature> features;
    private final SearchPolicy policy;
    private final Supplier<String> shareIds;

    // Guarded by this, like its sum.
    private final Map<PlacementCacheKey, NodeFits> known = new LinkedHashMap<>(16, 0.75f, true);
    private long remembered;

    /// Judges by these features and this policy; the features are those of all snapshots that it is
    /// asked about.
    ///
    /// @param shareIds a fresh id a call, for shares of devices
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

    /// What every node means for the pod.
    public synchronized NodeFits judge(PlacementRequest question, ClusterSnapshot snapshot) {
        var shape = question.shape();
        var before = Optional.ofNullable(known.get(shape));
        var statements = before.map(NodeFits::statements).orElse(PersistentSortedMap.of());
        var open = before.map(NodeFits::open).orElse(PersistentSortedMap.of());
        var hearing = placer(snapshot).hear(question, snapshot.occupancy());
        var hasFaults = before.filter(NodeFits::hasFaults).isPresent();
        for (var name : stale(question, snapshot, before)) {
            var node = snapshot.fleet().node(name);
            if (node.isPresent()) {
                var statement = hearing.statement(node.get());
                statements = statements.with(name, statement);
                open = statement.mayFit() ? open.with(name, statement) : open.without(name);
                hasFaults |= statement.isFault();
            } else {
                statements = statements.without(name);
                open = open.without(name);
            }
        }
        var judgement = new NodeFits(question, snapshot, hearing, statements, open, hasFaults);
        remember(shape, judgement);
        return judgement;
    }

    /// The nodes to be asked.
    private static Set<String> stale(
            PlacementRequest question, ClusterSnapshot snapshot, Optional<NodeFits> before) {
        if (before.isEmpty() || !hasSameClasses(question, snapshot, before.get().snapshot())) {
            var all = new TreeSet<String>();
            before.ifPresent(old -> old.statements().forEach((node, _) -> all.add(node)));
            snapshot.fleet().nodes().forEach(node -> all.add(node.name()));
            return all;
        }
        var changed = snapshot.changesSince(before.get().snapshot());
        if (before.get().hasFaults() && !names(question).equals(names(before.get().question()))) {
            // Messages name claims, and these are not the ones of this pod.
            before.get()
                    .statements()
                    .forEach((node, statement) -> {
                        if (statement.isFault()) {
                            changed.add(node);
                        }
                    });
        }
        return changed;
    }

    private static List<ObjectRef> names(PlacementRequest question) {
        return question.wanted().stream().map(ResourceClaim::ref).toList();
    }

    private static boolean hasSameClasses(
            PlacementRequest question, ClusterSnapshot a, ClusterSnapshot b) {
        var ofA = a.fleet().classes();
        var ofB = b.fleet().classes();
        return ofA.equals(ofB)
                || (!question.shape().mayAskClasses()
                        && question.wanted().stream()
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

    private void remember(PlacementCacheKey shape, NodeFits judgement) {
        var replaced = known.put(shape, judgement);
        remembered += judgement.statements().size();
        remembered -= replaced == null ? 0 : replaced.statements().size();
        var oldest = known.entrySet().iterator();
        while (remembered > MAX_VERDICTS && known.size() > 1) {
            remembered -= oldest.next().getValue().statements().size();
            oldest.remove();
        }
    }

    private PodPlacer placer(ClusterSnapshot snapshot) {
        return new PodPlacer(
                snapshot.fleet(), snapshot.surroundings(), allocator, features, policy, shareIds);
    }

    /// The node to take, with fresh share ids; empty when none fits, or when a fault keeps the pod
    /// from being placed anywhere.
    public Optional<NodeFit.Fits> choose(NodeFits judgement) {
        var state = judgement.snapshot().occupancy();
        return placer(judgement.snapshot())
                .choose(judgement.question(), judgement.verdicts(), state)
                .flatMap(fits -> fresh(judgement, fits));
    }

    /// The verdict of one node where the pod fits, with fresh share ids.
    public Optional<NodeFit.Fits> fresh(NodeFits judgement, NodeFit.Fits fits) {
        var hasShares =
                fits.given().stream()
                        .flatMap(given -> given.result().devices().stream())
                        .anyMatch(device -> device.share().isPresent());
        if (!hasShares) {
            return Optional.of(fits);
        }
        var snapshot = judgement.snapshot();
        var node = snapshot.fleet().node(fits.node()).orElseThrow();
        var hearing = placer(snapshot).hear(judgement.question(), snapshot.occupancy());
        var verdict = hearing.judge(node);
        return verdict instanceof NodeFit.Fits again ? Optional.of(again) : Optional.empty();
    }
}
