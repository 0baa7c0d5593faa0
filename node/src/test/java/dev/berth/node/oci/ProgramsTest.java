package dev.berth.node.oci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.harness.Eventually;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.safepath.MountTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgramsTest {

    @Test
    void missingProgramsAreReportedWithTheirPackages() {
        assertThatThrownBy(() -> Programs.found(List.of("/nowhere")))
                .isInstanceOf(RuntimeFailure.class)
                .hasMessageStartingWith("this machine lacks runc, conmon, ip, unshare")
                .hasMessageContaining("apt-get install bsdutils conmon coreutils")
                .hasMessageContaining("runc util-linux");
    }

    @Test
    void aHangingProgramIsKilled() throws InterruptedException {
        assertThatThrownBy(() -> Programs.run(List.of("sleep", "985"), "", Duration.ofSeconds(1)))
                .hasMessage("sleep 985 timed out after 1 s and was killed");
        Eventually.holds(() ->
                ProcessHandle.current()
                        .children()
                        .noneMatch(
                                one -> one.info().commandLine().orElse("").contains("sleep 985")));
    }

    @Test
    void messagesOfRuncAreExtracted() {
        assertThat(Runc.plain("time=\"x\" level=error msg=\"exec: \\\"/a\\\": no\"\n"))
                .isEqualTo("exec: \"/a\": no");
        assertThat(Runc.plain("something else\n")).isEqualTo("something else");
    }

    @Test
    void mountPointsMayContainSpaces() {
        var table =
                MountTable.of(
                        List.of(
                                "22 1 0:1 / /a rw - ext4 /dev/x rw",
                                "23 22 0:4 net:[1] /a/b\\040c rw shared:1 - nsfs nsfs rw"));
        assertThat(table.below(Path.of("/a"))).containsExactly(Path.of("/a/b c"), Path.of("/a"));
        assertThat(table.ofType("nsfs")).hasSize(1);
    }
}
