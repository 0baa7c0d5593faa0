package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompletionCommandTest {

    @TempDir private Path directory = Path.of("");

    /// Completes the last word as bash does, with the function that the script registers.
    private String complete(String... words) throws IOException, InterruptedException {
        var script = Files.writeString(directory.resolve("berth.bash"), script());
        var asks =
                """
                source %s
                COMP_WORDS=(%s)
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _complete_berth
                echo "${COMPREPLY[@]}"
                """
                        .formatted(script, String.join(" ", words));
        // Outside of a completion, bash complains that compopt has no effect.
        var process =
                new ProcessBuilder("bash", "-c", asks)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        var answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(answer).isZero();
        return answer.strip();
    }

    private static String script() {
        var run = CommandRun.of("completion", "bash");
        assertThat(run.exitCode()).isZero();
        return run.out();
    }

    @Test
    void commandsOptionsAndChoicesAreCompleted() throws IOException, InterruptedException {
        assertThat(complete("berth", "expl")).isEqualTo("explain");
        assertThat(complete("berth", "image", "re")).isEqualTo("remove");
        assertThat(complete("berth", "up", "--list-p")).isEqualTo("--list-profiles");
        assertThat(complete("berth", "plan", "-o", "ya")).isEqualTo("yaml");
        assertThat(complete("berth", "rehe")).isEmpty();
    }

    @Test
    void zshReadsTheSameScript() {
        assertThat(CommandRun.of("completion", "zsh").out()).contains("bashcompinit");
    }
}
