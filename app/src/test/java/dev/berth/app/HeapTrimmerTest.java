package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// When a full collection is requested.
class HeapTrimmerTest {

    private static final long MEGABYTE = 1 << 20;

    private final List<Long> collectedAt = new ArrayList<>();
    private long used;
    private long live;

    private final HeapTrimmer trimmer =
            new HeapTrimmer(
                    () -> used * MEGABYTE,
                    () -> {
                        collectedAt.add(used);
                        used = live;
                    },
                    50);

    /// Stops after a collection.
    private void growTo(long megabytes) {
        var before = collectedAt.size();
        while (used < megabytes && collectedAt.size() == before) {
            used++;
            trimmer.step();
        }
    }

    @Test
    void aSmallHeapIsLeftAlone() {
        growTo(48);

        assertThat(collectedAt).isEmpty();
    }

    @Test
    void theHeapIsCollectedWhenItHasGrownByHalfOfWhatIsLive() {
        live = 100;
        growTo(49);
        assertThat(collectedAt).containsExactly(49L);

        growTo(151);

        assertThat(collectedAt).containsExactly(49L, 151L);
    }

    @Test
    void aHeapWhoseLiveObjectsShrinkIsCollectedEarlierAgain() {
        live = 100;
        growTo(49);
        live = 10;
        growTo(151);

        growTo(49);

        assertThat(collectedAt).containsExactly(49L, 151L, 49L);
    }
}
