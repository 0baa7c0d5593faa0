package dev.berth.core.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.DeviceOrder;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.place.FitCache;
import dev.berth.core.place.NodeFit;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PlacementRules;
import dev.berth.core.place.Rejection;
import dev.berth.core.testkit.random.RandomAllocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The fit cache gives the same result for every node as an allocation from scratch without the
/// fast path, whatever changes were applied to the snapshot. `-Dberth.snapshot.clusters=10000`
/// tests more clusters.
class SnapshotComparisonTest {

    private static final int CLUSTERS = Integer.getInteger("berth.snapshot.clusters", 300);
    private static final int FOLDS = 40;
    private static final Set<AllocatorFeature> FEATURES = Set.of(AllocatorFeature.values());

    private final Allocator allocator = new Allocator(Allocator.DEFAULT_BUDGET);

    @Test
    void fitCacheEqualsAllocationFromScratch() {
        var compared = 0;
        var fitting = 0;
        for (var seed = 0; seed < CLUSTERS; seed++) {
            var cluster = new IncrementalCluster(seed);
            var fitCache = new FitCache(rules(PlacementPolicy.KUBERNETES));
            var requests = requests(seed);
            for (var fold = 0; fold < FOLDS; fold++) {
                cluster.foldSomething();
                // Not every request is evaluated on every snapshot: skipped changes must invalidate
                // the cache too.
                var request = requests.get(cluster.random().nextInt(requests.size()));
                var renamed = IncrementalCluster.renamed(request, "fold-" + fold);
                for (var fit : fitCache.evaluate(renamed, cluster.snapshot()).perNode()) {
                    var expected = cluster.request(FEATURES, fit.node(), renamed);
                    assertThat(comparable(fit))
                            .as("seed %d, fold %d, node %s", seed, fold, fit.node())
                            .isEqualTo(
                                    comparable(
                                            allocator
                                                    .allocate(
                                                            expected.toNodeRequest(
                                                                    DeviceOrder.FIRST),
                                                            () -> "share")
                                                    .outcome()));
                    compared++;
                    if (fit instanceof NodeFit.Fits fits) {
                        fitting++;
                        cluster.rememberFit(renamed, fits);
                    }
                }
            }
        }
        assertThat(compared).isGreaterThan(CLUSTERS * FOLDS);
        assertThat(fitting).isBetween(compared / 10, compared * 9 / 10);
    }

    @Test
    void cachedFitsLeadToTheSameNode() {
        var chosen = 0;
        for (var seed = 0; seed < CLUSTERS; seed++) {
            var cluster = new IncrementalCluster(seed);
            var fitCache = new FitCache(rules(PlacementPolicy.ALIGNED));
            var requests = requests(seed);
            for (var fold = 0; fold < FOLDS; fold++) {
                cluster.foldSomething();
                var snapshot = cluster.snapshot();
                var original = requests.get(cluster.random().nextInt(requests.size()));
                var request = IncrementalCluster.renamed(original, "fold-" + fold);
                var evaluation = rules(PlacementPolicy.ALIGNED).evaluation(request, snapshot);
                var refusals = new ArrayList<Rejection>();
                for (var node : snapshot.inventory().nodes()) {
                    if (evaluation.fit(node) instanceof NodeFit.Rejected(_, var reason)) {
                        refusals.add(reason);
                    }
                }
                var anew = new FitCache(rules(PlacementPolicy.ALIGNED)).evaluate(request, snapshot);
                var best = anew.best();
                var nodeFits = fitCache.evaluate(request, snapshot);
                var remembered = new ArrayList<Rejection>();
                nodeFits.forEachRejection((_, reason) -> remembered.add(reason));
                assertThat(remembered).as("seed %d, fold %d", seed, fold).isEqualTo(refusals);
                assertThat(nodeFits.best()).as("seed %d, fold %d", seed, fold).isEqualTo(best);
                if (best.isPresent()) {
                    chosen++;
                    cluster.rememberFit(request, best.get());
                }
            }
        }
        assertThat(chosen).isGreaterThan(CLUSTERS);
    }

    private PlacementRules rules(PlacementPolicy policy) {
        return new PlacementRules(allocator, FEATURES, policy, () -> "share");
    }

    private static List<PlacementRequest> requests(long seed) {
        var requests = new ArrayList<PlacementRequest>();
        for (var i = 0; i < 4; i++) {
            requests.add(
                    IncrementalCluster.placementRequest(
                            RandomAllocation.of(seed * 4 + i).claims(), "asking-" + i));
        }
        return requests;
    }

    private static String comparable(NodeFit fit) {
        return switch (fit) {
            case NodeFit.Fits(_, var given, _, _, _) ->
                    given.stream().map(NodeFit.ClaimAllocation::result).toList().toString();
            case NodeFit.Rejected(_, Rejection.Fault(var message, var everywhere)) ->
                    everywhere + " " + message;
            case NodeFit.Rejected(_, var reason) -> reason.text();
        };
    }

    private static String comparable(AllocationOutcome outcome) {
        return switch (outcome) {
            // The last result belongs to the empty claim.
            case AllocationOutcome.Allocated(var results, _) ->
                    results.subList(0, results.size() - 1).toString();
            case AllocationOutcome.DoesNotFit _ -> "cannot allocate all claims";
            case AllocationOutcome.Failed(var message, var nodeLocal, _) ->
                    !nodeLocal + " " + message;
            case AllocationOutcome.Undecided _ -> "device search reached its step limit";
        };
    }
}
