package dev.berth.app.print;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.CommandRun;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormerOptionTest {

    @ParameterizedTest
    @CsvSource({
        "demo, --patience 5, --patience, --timeout",
        "schedule, --take-over, --take-over, --replace-default-scheduler",
    })
    void formerNamesOfOptionsPrintAWarning(
            String command, String arguments, String former, String current) {
        var words = new ArrayList<>(List.of(command));
        words.addAll(List.of(arguments.split(" ")));
        words.add("--help");
        var run = CommandRun.of(words.toArray(String[]::new));
        assertThat(run.exitCode()).isZero();
        assertThat(run.err())
                .contains("%s is now %s, and will be refused".formatted(former, current));
        assertThat(run.out()).contains(current).doesNotContain(former + " ");
    }
}
