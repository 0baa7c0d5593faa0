package dev.berth.testkit.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.Answer;
import dev.berth.testkit.cel.Expressions;
import dev.berth.testkit.twin.SlowAllocator;
import java.util.HashMap;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class RandomQuestionTest {

    private static final int QUESTIONS = 2_000;

    @Test
    void aSeedGivesTheSameQuestionEachTime() {
        for (var seed = 0; seed < 50; seed++) {
            assertThat(RandomQuestion.of(seed)).isEqualTo(RandomQuestion.of(seed));
        }
    }

    @Test
    void questionsAreSmall() {
        for (var seed = 0; seed < QUESTIONS; seed++) {
            var question = RandomQuestion.of(seed);
            assertThat(question.claims()).hasSizeBetween(1, 3);
            assertThat(question.slices()).hasSizeBetween(1, 15);
        }
    }

    @Test
    void everyKindOfAnswerIsCommon() {
        var twin = new SlowAllocator(new Expressions(), 100_000);
        var counts = new HashMap<Class<?>, Integer>();
        for (var seed = 0; seed < QUESTIONS; seed++) {
            var answer = twin.answer(RandomQuestion.of(seed), () -> "share");
            counts.merge(answer.getClass(), 1, Integer::sum);
        }
        var summary = String.format(Locale.ROOT, "%s", counts);
        assertThat(counts.get(Answer.Allocated.class)).as(summary).isGreaterThan(QUESTIONS / 4);
        assertThat(counts.get(Answer.DoesNotFit.class)).as(summary).isGreaterThan(QUESTIONS / 4);
        assertThat(counts.get(Answer.Failed.class)).as(summary).isGreaterThan(QUESTIONS / 8);
        assertThat(counts).as(summary).doesNotContainKey(Answer.Undecided.class);
    }
}
