package dev.berth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.Answer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HardQuestionsTest {

    private final Allocator allocator = new Allocator(Allocator.DEFAULT_BUDGET);

    static Stream<HardQuestions.Hard> questions() {
        return HardQuestions.all();
    }

    @ParameterizedTest
    @MethodSource("questions")
    void isDecidedAndRight(HardQuestions.Hard hard) {
        var answer = allocator.answer(hard.question(), () -> "share");
        assertThat(answer)
                .isInstanceOf(hard.fits() ? Answer.Allocated.class : Answer.DoesNotFit.class);
    }
}
