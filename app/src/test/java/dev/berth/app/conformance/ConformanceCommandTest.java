package dev.berth.app.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConformanceCommandTest {

    private static final String CASE =
            """
            {"name": "driver", "derived": false, "environment": "NewExpressions", "features": [], \
            "expression": "device.driver == \\"a\\"", "device": {"driver": "a"}, \
            "answer": {"match": true, "actualCost": 3, "worstCaseCost": 3}}
            """;

    @TempDir private Path folder = Path.of("");

    @Test
    void equalAnswersPass() throws IOException {
        var run = cel(CASE);

        assertThat(run.out()).isEqualTo("1 passed, 0 failed\n");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void otherAnswersFailAndBothAreShown() throws IOException {
        var run = cel(CASE + CASE.replace("\"match\": true", "\"match\": false"));

        assertThat(run.out())
                .contains("cases.jsonl:2 driver")
                .contains("expected: compiles, worst case 3; false at cost 3")
                .contains("actual:   compiles, worst case 3; true at cost 3")
                .endsWith("1 passed, 1 failed\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void whatIsNoCaseFails() throws IOException {
        assertThat(cel("[]\n").out()).endsWith("0 passed, 1 failed\n");
        assertThat(CommandRun.of("conformance", "cel", "nowhere.jsonl").exitCode()).isEqualTo(2);
    }

    private CommandRun cel(String cases) throws IOException {
        var file = Files.writeString(folder.resolve("cases.jsonl"), cases);
        return CommandRun.of("conformance", "cel", file.toString());
    }
}
