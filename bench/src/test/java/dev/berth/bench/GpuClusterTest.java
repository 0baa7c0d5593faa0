package dev.berth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.allocate.SearchPolicy;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.snapshot.FitCache;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GpuClusterTest {

    private static final Set<AllocatorFeature> FEATURES = Set.of(AllocatorFeature.values());

    @Test
    void aNodeHasEightGpusInNineteenPartitionsEachAndEightNics() {
        var fleet = GpuCluster.snapshot(2, FEATURES).fleet();
        assertThat(fleet.pools(GpuCluster.nodeName(1)))
                .allMatch(PoolView::isUsable)
                .extracting(PoolView::size)
                .containsExactly(8 * 19, 8);
    }

    @Test
    void eightWholeGpusFitOnANode() {
        var judge =
                new FitCache(
                        new Allocator(Allocator.DEFAULT_BUDGET),
                        FEATURES,
                        SearchPolicy.KUBERNETES,
                        () -> "share");
        var snapshot = GpuCluster.snapshot(1, FEATURES);
        for (var i = 0; i < GpuCluster.GPUS; i++) {
            var question = GpuCluster.wantsOne("pod-" + i, "7g.80gb");
            var fits = judge.choose(judge.judge(question, snapshot));
            snapshot = snapshot.assume(question, fits.orElseThrow());
        }
        var ninth = GpuCluster.wantsOne("pod-9", "1g.10gb");
        assertThat(judge.judge(ninth, snapshot).fitting()).isEmpty();
    }
}
