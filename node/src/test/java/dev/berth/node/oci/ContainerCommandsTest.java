package dev.berth.node.oci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.harness.Eventually;
import dev.berth.node.runtime.CommandResult;
import dev.berth.node.runtime.RuntimeFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Commands in a running container (exec).
class ContainerCommandsTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private RuntimeRig rig;
    private String container = "";

    @BeforeEach
    void start() throws IOException, RuntimeFailure {
        rig = RuntimeRig.start();
        container = rig.start(rig.sandbox(), "sleep 1000");
    }

    @AfterEach
    void stop() throws IOException, RuntimeFailure {
        if (rig != null) {
            rig.close();
        }
    }

    @Test
    void outputAndExitCodeOfACommandAreReturned() throws Exception {
        var result =
                rig.runtime()
                        .run(container, List.of("sh", "-c", "echo a; echo b >&2; exit 4"), LONG);
        assertThat(result).isEqualTo(new CommandResult(4, "a\n", "b\n"));
    }

    @Test
    void aCommandThatTimesOutIsKilled() throws Exception {
        var command = List.of("sh", "-c", "sleep 987 & sleep 987");
        assertThatThrownBy(() -> rig.runtime().run(container, command, Duration.ofSeconds(1)))
                .hasMessage(
                        "the command sh -c sleep 987 & sleep 987 in container main timed out"
                                + " after 1 s and was killed");
        var left = rig.runtime().run(container, List.of("ps"), LONG);
        assertThat(left.output()).contains("sleep 1000").doesNotContain("sleep 987");
    }

    @Test
    void aMissingProgramIsAFailure() {
        assertThatThrownBy(() -> rig.runtime().run(container, List.of("nosuch"), LONG))
                .isInstanceOf(RuntimeFailure.class)
                .hasMessageContaining("cannot run the command nosuch in container main")
                .hasMessageContaining("executable file not found");
    }

    @Test
    void noCommandRunsInATerminatedContainer() throws Exception {
        rig.runtime().stopContainer(container, Duration.ZERO);
        assertThatThrownBy(() -> rig.runtime().run(container, List.of("true"), LONG))
                .hasMessage("container main (%s) is not running", container);
    }

    @Test
    void aSessionReadsAndWrites() throws Exception {
        try (var session = rig.runtime().open(container, List.of("cat"), false)) {
            session.input().write("over there".getBytes(StandardCharsets.UTF_8));
            session.input().close();
            assertThat(text(session.output())).isEqualTo("over there");
            assertThat(text(session.errors())).isEmpty();
            assertThat(session.exitCode()).isZero();
        }
    }

    @Test
    void aTerminalHasTheSizeOfTheWindow() throws Exception {
        // The size arrives shortly after the command has started.
        var untilSized = "until stty size 2>&1 | grep 37; do sleep 0.02; done";
        var command =
                List.of("sh", "-c", "tty; read it; " + untilSized + "; echo \"it's $it\"; exit 6");
        try (var session = rig.runtime().open(container, command, true)) {
            session.resize(101, 37);
            session.input().write("me\n".getBytes(StandardCharsets.UTF_8));
            session.input().flush();
            assertThat(text(session.output()))
                    .contains("/dev/pts/")
                    .contains("37 101\r\n")
                    .contains("it's me\r\n");
            assertThat(session.exitCode()).isEqualTo(6);
        }
    }

    @Test
    void closingASessionKillsTheCommand() throws Exception {
        var session = rig.runtime().open(container, List.of("sleep", "986"), true);
        Eventually.holds(() -> processes().contains("sleep 986"));
        session.close();
        Eventually.holds(() -> !processes().contains("sleep 986"));
    }

    private String processes() {
        try {
            return rig.runtime().run(container, List.of("ps"), LONG).output();
        } catch (RuntimeFailure e) {
            throw new AssertionError(e);
        }
    }

    private static String text(InputStream stream) throws IOException {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
}
