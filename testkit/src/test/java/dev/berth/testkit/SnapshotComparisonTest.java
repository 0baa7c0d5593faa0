package dev.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.allocate.SearchPolicy;
import dev.berth.core.place.NodeFit;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PodPlacer;
import dev.berth.core.place.Rejection;
import dev.berth.core.snapshot.FitCache;
import dev.berth.testkit.random.RandomAllocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// A judge that remembers says of every node what the allocator says that starts anew and takes no
/// short cut, whatever was folded into the snapshot in whatever order.
/// `-Dberth.snapshot.clusters=10000` tries more.
class SnapshotComparisonTest {

    private static final int CLUSTERS = Integer.getInteger("berth.snapshot.clusters", 300);
    private static final int FOLDS = 40;
    private static final Set<AllocatorFeature> FEATURES = Set.of(AllocatorFeature.values());

    private final Allocator allocator = new Allocator(Allocator.DEFAULT_BUDGET);

    @Test
    void theJudgeRemembersWhatTheAllocatorWouldSay() {
        var compared = 0;
        var fitting = 0;
        for (var seed = 0; seed < CLUSTERS; seed++) {
            var cluster = new FoldedCluster(seed);
            var fitCache =
                    new FitCache(allocator, FEATURES, SearchPolicy.KUBERNETES, () -> "share");
            var questions = questions(seed);
            for (var fold = 0; fold < FOLDS; fold++) {
                cluster.foldSomething();
                // Not every question sees every snapshot: what was skipped must be noticed too.
                var question = questions.get(cluster.random().nextInt(questions.size()));
                var renamed = FoldedCluster.renamed(question, "fold-" + fold);
                for (var fit : fitCache.evaluate(renamed, cluster.snapshot()).perNode()) {
                    var expected = cluster.request(FEATURES, fit.node(), renamed);
                    assertThat(comparable(fit))
                            .as("seed %d, fold %d, node %s", seed, fold, fit.node())
                            .isEqualTo(comparable(allocator.allocate(expected, () -> "share")));
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
    void whatIsRememberedLeadsToTheSameChoice() {
        var chosen = 0;
        for (var seed = 0; seed < CLUSTERS; seed++) {
            var cluster = new FoldedCluster(seed);
            var fitCache = new FitCache(allocator, FEATURES, SearchPolicy.ALIGNED, () -> "share");
            var questions = questions(seed);
            for (var fold = 0; fold < FOLDS; fold++) {
                cluster.foldSomething();
                var snapshot = cluster.snapshot();
                var asked = questions.get(cluster.random().nextInt(questions.size()));
                var question = FoldedCluster.renamed(asked, "fold-" + fold);
                var placer =
                        new PodPlacer(
                                snapshot.inventory(),
                                snapshot.context(),
                                allocator,
                                FEATURES,
                                SearchPolicy.ALIGNED,
                                () -> "share");
                var perNode = placer.evaluate(question, snapshot.usage());
                var fitting = new ArrayList<NodeFit>();
                var refusals = new ArrayList<Rejection>();
                for (var fit : perNode) {
                    switch (fit) {
                        case NodeFit.Fits fits -> fitting.add(fits);
                        case NodeFit.Rejected(_, var reason) -> refusals.add(reason);
                    }
                }
                var best = placer.choose(question, fitting, snapshot.usage());
                var nodeFits = fitCache.evaluate(question, snapshot);
                var remembered = new ArrayList<Rejection>();
                nodeFits.forEachRejection(remembered::add);
                assertThat(remembered).as("seed %d, fold %d", seed, fold).isEqualTo(refusals);
                assertThat(nodeFits.best(nodeFits.fittingFrom(0)))
                        .as("seed %d, fold %d", seed, fold)
                        .isEqualTo(best);
                if (best.isPresent()) {
                    chosen++;
                    cluster.rememberFit(question, best.get());
                }
            }
        }
        assertThat(chosen).isGreaterThan(CLUSTERS);
    }

    private static List<PlacementRequest> questions(long seed) {
        var questions = new ArrayList<PlacementRequest>();
        for (var i = 0; i < 4; i++) {
            questions.add(
                    FoldedCluster.asking(
                            RandomAllocation.of(seed * 4 + i).claims(), "asking-" + i));
        }
        return questions;
    }

    private static String comparable(NodeFit fit) {
        return switch (fit) {
            case NodeFit.Fits(_, var given, _, _) ->
                    given.stream().map(NodeFit.ClaimAllocation::result).toList().toString();
            case NodeFit.Rejected(_, Rejection.NoDevices _) -> "does not fit";
            case NodeFit.Rejected(_, Rejection.Fault(var message, var everywhere)) ->
                    everywhere + " " + message;
            case NodeFit.Rejected(_, var reason) -> reason.text();
        };
    }

    private static String comparable(AllocationOutcome answer) {
        return switch (answer) {
            // The last one is that of the claim that wants nothing.
            case AllocationOutcome.Allocated(var results, _) ->
                    results.subList(0, results.size() - 1).toString();
            case AllocationOutcome.DoesNotFit _ -> "does not fit";
            case AllocationOutcome.Failed(var message, var nodeLocal, _) ->
                    !nodeLocal + " " + message;
            case AllocationOutcome.Undecided _ -> "undecided";
        };
    }
}
