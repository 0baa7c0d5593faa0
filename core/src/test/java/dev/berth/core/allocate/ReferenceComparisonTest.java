package dev.berth.core.allocate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.rule.Leniency;
import dev.berth.core.testkit.cel.ReferenceExpressions;
import dev.berth.core.testkit.random.RandomAllocation;
import dev.berth.core.testkit.reference.ReferenceAllocator;
import dev.berth.core.testkit.verify.AllocationVerifier;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Compares the allocator with the reference allocator on random requests with all features.
/// `-Pmillion` tests a million requests; `-Dberth.twin.from` and `-Dberth.twin.questions` select
/// others.
class ReferenceComparisonTest {

    private static final long FROM = Long.getLong("berth.twin.from", 0);
    private static final long REQUESTS = Long.getLong("berth.twin.questions", 10_000);
    private static final long LENIENT_PART = 4;
    private static final long TWIN_BUDGET = 200_000;

    private final ReferenceExpressions expressions = new ReferenceExpressions();

    @Test
    void allocatorEqualsReferenceAllocator() {
        compare(FROM, FROM + REQUESTS, Set.of());
    }

    @Test
    void lenientAllocatorEqualsReferenceAllocator() {
        for (var one : Leniency.values()) {
            compare(FROM, FROM + REQUESTS / LENIENT_PART, Set.of(one));
        }
        compare(FROM, FROM + REQUESTS / LENIENT_PART, Set.of(Leniency.values()));
    }

    @Test
    void pastDifferencesStayFixed() {
        // A request for all devices, one of them with exhausted capacity, under a constraint.
        compare(585_411, 585_412, Set.of());
        // An allocated device whose name also occurs in a slice for another node: both consume
        // counters.
        compare(332_841, 332_842, Set.of());
        compare(893_554, 893_555, Set.of());
    }

    private void compare(long from, long to, Set<Leniency> leniencies) {
        var reference = new ReferenceAllocator(expressions, TWIN_BUDGET, leniencies);
        var allocator = new Allocator(Allocator.DEFAULT_BUDGET, leniencies);
        var verifier = new AllocationVerifier(expressions, leniencies);
        for (var seed = from; seed < to; seed++) {
            var allocationRequest = RandomAllocation.of(seed);
            var expected = reference.allocate(allocationRequest, new Ids()::next);
            if (expected instanceof AllocationOutcome.Undecided) {
                continue;
            }
            var actual =
                    allocator
                            .allocate(
                                    allocationRequest.toNodeRequest(DeviceOrder.FIRST),
                                    new Ids()::next)
                            .outcome();
            var label = "seed %d %s".formatted(seed, leniencies);
            assertThat(comparable(actual)).as(label).isEqualTo(comparable(expected));
            assertThat(actual.steps()).as(label).isLessThanOrEqualTo(expected.steps());
            if (actual instanceof AllocationOutcome.Allocated(var results, _)) {
                assertThat(verifier.violations(allocationRequest, results)).as(label).isEmpty();
            }
        }
    }

    /// Outcomes without the number of steps; failures without message, since messages are compared
    /// elsewhere.
    private static Object comparable(AllocationOutcome outcome) {
        return switch (outcome) {
            case AllocationOutcome.Allocated(var results, _) ->
                    results.toString().replaceAll("shareId=Optional\\[[^]]*]", "shared");
            case AllocationOutcome.DoesNotFit _ -> "does not fit";
            case AllocationOutcome.Failed failed -> "failed";
            case AllocationOutcome.Undecided _ -> "undecided";
        };
    }

    private static final class Ids {

        private int last;

        String next() {
            return "00000000-0000-4000-8000-%012d".formatted(last++);
        }
    }
}
