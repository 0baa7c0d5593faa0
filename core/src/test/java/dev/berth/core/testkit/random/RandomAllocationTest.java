package dev.berth.core.testkit.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.testkit.cel.ReferenceExpressions;
import dev.berth.core.testkit.reference.ReferenceAllocator;
import java.util.HashMap;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class RandomAllocationTest {

    private static final int QUESTIONS = 2_000;

    @Test
    void sameSeedGivesSameRequest() {
        for (var seed = 0; seed < 50; seed++) {
            assertThat(RandomAllocation.of(seed)).isEqualTo(RandomAllocation.of(seed));
        }
    }

    @Test
    void requestsAreSmall() {
        for (var seed = 0; seed < QUESTIONS; seed++) {
            var allocationRequest = RandomAllocation.of(seed);
            assertThat(allocationRequest.claims()).hasSizeBetween(1, 3);
            assertThat(allocationRequest.slices()).hasSizeBetween(1, 15);
        }
    }

    @Test
    void everyOutcomeIsCommon() {
        var reference = new ReferenceAllocator(new ReferenceExpressions(), 100_000);
        var counts = new HashMap<Class<?>, Integer>();
        for (var seed = 0; seed < QUESTIONS; seed++) {
            var outcome = reference.allocate(RandomAllocation.of(seed), () -> "share");
            counts.merge(outcome.getClass(), 1, Integer::sum);
        }
        var summary = String.format(Locale.ROOT, "%s", counts);
        assertThat(counts.get(AllocationOutcome.Allocated.class))
                .as(summary)
                .isGreaterThan(QUESTIONS / 4);
        assertThat(counts.get(AllocationOutcome.DoesNotFit.class))
                .as(summary)
                .isGreaterThan(QUESTIONS / 4);
        assertThat(counts.get(AllocationOutcome.Failed.class))
                .as(summary)
                .isGreaterThan(QUESTIONS / 8);
        assertThat(counts).as(summary).doesNotContainKey(AllocationOutcome.Undecided.class);
    }
}
