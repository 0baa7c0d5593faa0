package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `scripts/check-docs` on pages with blocks that pass, fail and are skipped.
class CheckDocsTest {

    @TempDir private Path root;

    @Test
    void outputThatMatchesPassesAndProcessesAreEnded() throws Exception {
        var pid = root.resolve("pid");
        var page =
                """
                ```console
                $ word=device; echo "one $word"
                one device
                $ printf '%%s\\n' first 'port 127.0.0.1:4711' middle last
                first
                port 127.0.0.1:6443
                …
                last
                ```

                The session keeps variables, and its home directory is empty:

                ```bash
                test "$word" = device
                test -z "$(ls -A ~)"
                setsid sleep 1000 & echo $! >'%s'
                ```

                <!-- skip: never ends -->
                ```bash
                sleep infinity
                ```

                ```yaml
                a: 1
                ```
                """
                        .formatted(pid);
        assertThat(check(page))
                .contains("2 blocks run, 1 skipped, 0 failed", "page-0.md:20: never ends");
        // An ended process that was not yet waited for has no command line.
        var commandLine = Path.of("/proc", Files.readString(pid).strip(), "cmdline");
        assertThat(Files.exists(commandLine) ? Files.readString(commandLine) : "").isEmpty();
    }

    @Test
    void wrongOutputAndFailingCommandsAreReported() throws Exception {
        var output =
                check(
                        "```console\n$ echo two\nthree\n```\n",
                        "```bash\nfalse\ntrue\n```\n",
                        "```console\n$ false\n…\n```\n",
                        "```\nberth up\n```\n",
                        "[a](missing.md)\n");
        assertThat(output)
                .contains("FAILED page-0.md:2: echo two", "FAILED page-1.md:2: false")
                .contains("failed: false (exit code 1)", "FAILED page-2.md:2: false")
                .contains("page-3.md:1: neither `$ ` prompts nor a language")
                .contains("page-4.md:1: broken link missing.md")
                .contains("3 blocks run, 0 skipped, 5 failed");
    }

    private String check(String... pages) throws IOException, InterruptedException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var program = Path.of("../scripts/checkdocs/CheckDocs.java").toAbsolutePath().normalize();
        var command = new ArrayList<>(List.of(java, program.toString()));
        for (var i = 0; i < pages.length; i++) {
            var name = "page-%d.md".formatted(i);
            Files.writeString(root.resolve(name), pages[i]);
            command.add(name);
        }
        var process =
                new ProcessBuilder(command)
                        .directory(root.toFile())
                        .redirectErrorStream(true)
                        .start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(output.contains(", 0 failed") ? 0 : 1);
        return output;
    }
}
