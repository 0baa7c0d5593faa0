package dev.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.Leniency;
import dev.berth.testkit.cel.ReferenceExpressions;
import dev.berth.testkit.random.RandomAllocation;
import dev.berth.testkit.reference.ReferenceAllocator;
import dev.berth.testkit.verify.AllocationVerifier;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The allocator and its slow, obvious twin give the same answers to questions that use every
/// feature. `-Pmillion` asks a million of them; `-Dberth.twin.from` and `-Dberth.twin.questions`
/// choose others.
class TwinComparisonTest {

    private static final long FROM = Long.getLong("berth.twin.from", 0);
    private static final long QUESTIONS = Long.getLong("berth.twin.questions", 10_000);
    private static final long LENIENT_PART = 4;
    private static final long TWIN_BUDGET = 200_000;

    private final ReferenceExpressions expressions = new ReferenceExpressions();

    @Test
    void theAllocatorAnswersLikeItsTwin() {
        compare(FROM, FROM + QUESTIONS, Set.of());
    }

    @Test
    void theAllocatorIsAsLenientAsItsTwin() {
        for (var one : Leniency.values()) {
            compare(FROM, FROM + QUESTIONS / LENIENT_PART, Set.of(one));
        }
        compare(FROM, FROM + QUESTIONS / LENIENT_PART, Set.of(Leniency.values()));
    }

    @Test
    void questionsThatWereAnsweredDifferentlyAreNotAnyMore() {
        // A request for all devices with a spent one among them, under a constraint.
        compare(585_411, 585_412, Set.of());
        // A held device with a namesake in a slice for another node: both draw on the counters.
        compare(332_841, 332_842, Set.of());
        compare(893_554, 893_555, Set.of());
    }

    private void compare(long from, long to, Set<Leniency> leniencies) {
        var reference = new ReferenceAllocator(expressions, TWIN_BUDGET, leniencies);
        var allocator = new Allocator(Allocator.DEFAULT_BUDGET, leniencies);
        var verifier = new AllocationVerifier(expressions, leniencies);
        for (var seed = from; seed < to; seed++) {
            var question = RandomAllocation.of(seed);
            var expected = reference.allocate(question, new Ids()::next);
            if (expected instanceof AllocationOutcome.Undecided) {
                continue;
            }
            var actual = allocator.allocate(question, new Ids()::next);
            var label = "seed %d %s".formatted(seed, leniencies);
            assertThat(comparable(actual)).as(label).isEqualTo(comparable(expected));
            assertThat(actual.steps()).as(label).isLessThanOrEqualTo(expected.steps());
            if (actual instanceof AllocationOutcome.Allocated(var results, _)) {
                assertThat(verifier.violations(question, results)).as(label).isEmpty();
            }
        }
    }

    /// Answers without the number of steps; errors by their kind, since texts are compared
    /// elsewhere.
    private static Object comparable(AllocationOutcome answer) {
        return switch (answer) {
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
