package dev.berth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.place.FitCache;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.place.PlacementRules;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GpuClusterTest {

    private static final Set<AllocatorFeature> FEATURES = Set.of(AllocatorFeature.values());

    @Test
    void aNodeHasEightGpusInNineteenPartitionsEachAndEightNics() {
        var inventory = GpuCluster.snapshot(2, FEATURES).inventory();
        assertThat(inventory.pools(GpuCluster.nodeName(1)))
                .allMatch(PoolView::isUsable)
                .extracting(PoolView::size)
                .containsExactly(8 * 19, 8);
    }

    @Test
    void eightWholeGpusFitOnANode() {
        var fitCache =
                new FitCache(
                        new PlacementRules(
                                new Allocator(Allocator.DEFAULT_BUDGET),
                                FEATURES,
                                PlacementPolicy.KUBERNETES,
                                () -> "share"));
        var snapshot = GpuCluster.snapshot(1, FEATURES);
        for (var i = 0; i < GpuCluster.GPUS; i++) {
            var request = GpuCluster.requestOne("pod-" + i, "7g.80gb");
            var fits = fitCache.evaluate(request, snapshot).best();
            snapshot = snapshot.assume(request.placement(fits.orElseThrow()));
        }
        var ninth = GpuCluster.requestOne("pod-9", "1g.10gb");
        assertThat(fitCache.evaluate(ninth, snapshot).fitting()).isEmpty();
    }
}
