package dev.berth.core.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.SnapshotFixtures;
import dev.berth.model.api.slice.NodeScope;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FitCacheTest {

    private static final Set<AllocatorFeature> FEATURES = Set.of(AllocatorFeature.values());

    private final FitCache fitCache =
            new FitCache(
                    new PlacementRules(
                            new Allocator(Allocator.DEFAULT_BUDGET),
                            FEATURES,
                            PlacementPolicy.KUBERNETES,
                            () -> "share"));

    /// Two nodes with one GPU each.
    private final ClusterSnapshot two =
            ClusterSnapshot.empty(AllocatorFeature.rules(FEATURES))
                    .with(SnapshotFixtures.gpuClass())
                    .with(SnapshotFixtures.node("n1"))
                    .with(SnapshotFixtures.node("n2"))
                    .with(SnapshotFixtures.slice("s1", "n1", new NodeScope.OneNode("n1"), "gpu-0"))
                    .with(SnapshotFixtures.slice("s2", "n2", new NodeScope.OneNode("n2"), "gpu-0"));

    @Test
    void unchangedResultsAreReused() {
        var before = fitCache.evaluate(SnapshotFixtures.request("a"), two);
        var after = fitCache.evaluate(SnapshotFixtures.request("b"), two.withoutSlice("s2"));
        assertThat(after.scopedFits().find("n1"))
                .containsSame(before.scopedFits().find("n1").orElseThrow());
        assertThat(after.fit("n2").orElseThrow()).isInstanceOf(NodeFit.Rejected.class);
    }

    @Test
    void messagesNameTheClaimsOfTheEvaluatedPod() {
        var without = two.withoutClass("gpu");
        fitCache.evaluate(SnapshotFixtures.request("a"), without);
        var again = fitCache.evaluate(SnapshotFixtures.request("b"), without).perNode().getFirst();
        assertThat(again.toString()).contains("default/b").doesNotContain("default/a");
    }
}
