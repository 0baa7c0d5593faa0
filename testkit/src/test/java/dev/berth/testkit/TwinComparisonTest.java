package dev.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.Answer;
import dev.berth.testkit.cel.Expressions;
import dev.berth.testkit.random.RandomQuestion;
import dev.berth.testkit.twin.SlowAllocator;
import dev.berth.testkit.verify.AllocationVerifier;
import org.junit.jupiter.api.Test;

/// The allocator and its slow, obvious twin give the same answers to questions that use every
/// feature. `-Dberth.twin.questions=1000000` asks more of them.
class TwinComparisonTest {

    private static final int QUESTIONS = Integer.getInteger("berth.twin.questions", 10_000);
    private static final long TWIN_BUDGET = 200_000;

    @Test
    void theAllocatorAnswersLikeItsTwin() {
        var expressions = new Expressions();
        var twin = new SlowAllocator(expressions, TWIN_BUDGET);
        var allocator = new Allocator(Allocator.DEFAULT_BUDGET);
        var verifier = new AllocationVerifier(expressions);
        for (var seed = 0; seed < QUESTIONS; seed++) {
            var question = RandomQuestion.of(seed);
            var expected = twin.answer(question, new Ids()::next);
            if (expected instanceof Answer.Undecided) {
                continue;
            }
            var actual = allocator.answer(question, new Ids()::next);
            assertThat(comparable(actual)).as("seed %d", seed).isEqualTo(comparable(expected));
            assertThat(actual.steps())
                    .as("steps, seed %d", seed)
                    .isLessThanOrEqualTo(expected.steps());
            if (actual instanceof Answer.Allocated(var results, _)) {
                assertThat(verifier.violations(question, results)).as("seed %d", seed).isEmpty();
            }
        }
    }

    /// Answers without the number of steps; errors by their kind, since texts are compared
    /// elsewhere.
    private static Object comparable(Answer answer) {
        return switch (answer) {
            case Answer.Allocated(var results, _) ->
                    results.toString().replaceAll("shareId=Optional\\[[^]]*]", "shared");
            case Answer.DoesNotFit _ -> "does not fit";
            case Answer.Failed failed -> "failed";
            case Answer.Undecided _ -> "undecided";
        };
    }

    private static final class Ids {

        private int last;

        String next() {
            return "00000000-0000-4000-8000-%012d".formatted(last++);
        }
    }
}
