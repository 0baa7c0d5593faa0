package dev.berth.core.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.snapshot.AffinityProfile;
import dev.berth.core.snapshot.PodCounts;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PodCountsTest {

    @Test
    void podsWithEqualProfilesAreCountedTogether() {
        var podCounts =
                PodCounts.EMPTY
                        .with("n0", PlacementFixture.pod("app: web;"))
                        .with("n0", PlacementFixture.pod("app: web;"))
                        .with("n1", PlacementFixture.pod("app: web;"))
                        .with("n1", PlacementFixture.pod("app: db;"));
        assertThat(counts(podCounts))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                                AffinityProfile.of(PlacementFixture.pod("app: web;")),
                                        Map.of("n0", 2L, "n1", 1L),
                                AffinityProfile.of(PlacementFixture.pod("app: db;")),
                                        Map.of("n1", 1L)));
    }

    @Test
    void removingAPodRestoresTheCounts() {
        var pod = PlacementFixture.pod("app: web;");
        var podCounts = PodCounts.EMPTY.with("n0", pod).with("n1", pod);
        assertThat(counts(podCounts.without("n0", pod)))
                .isEqualTo(counts(PodCounts.EMPTY.with("n1", pod)));
        assertThat(podCounts.without("n0", pod).without("n1", pod).counts()).isEmpty();
        assertThat(counts(podCounts).values()).containsExactly(Map.of("n0", 1L, "n1", 1L));
    }

    private static Map<AffinityProfile, Map<String, Long>> counts(PodCounts podCounts) {
        var counts = new HashMap<AffinityProfile, Map<String, Long>>();
        podCounts
                .counts()
                .forEach((profile, perNode) -> {
                    var plain = new HashMap<String, Long>();
                    perNode.forEach(plain::put);
                    counts.put(profile, plain);
                });
        return counts;
    }
}
