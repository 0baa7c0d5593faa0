package dev.berth.app.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.CommandRun;
import dev.berth.harness.GoldenFile;
import dev.berth.model.json.JsonReader;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Golden test of `lint --live`: each of `live/lint/*.yaml` has a mistake, `live/lint.txt` what is
/// printed for the cluster of `live/cluster.yaml`. `-Dgolden=update` writes that instead.
class LiveLintTest {

    private static final Path LIVE = Path.of("src", "test", "resources", "live");

    @TempDir private static Path directory;

    private static FilledServer filled;

    @BeforeAll
    static void start() throws IOException {
        filled = FilledServer.start(directory, LIVE.resolve("cluster.yaml"));
    }

    @AfterAll
    static void stop() {
        filled.close();
    }

    @Test
    void mistakesAreFound() throws IOException {
        var files = LIVE.resolve("lint");
        var kubeconfig = filled.server().kubeconfig().toString();
        var run = CommandRun.of("lint", "--kubeconfig", kubeconfig, files.toString());
        var actual =
                run.out().replace(files + "/", "") + "exit code %d%n".formatted(run.exitCode());
        GoldenFile.check(LIVE.resolve("lint.txt"), actual);
    }

    @Test
    void findingsAreAvailableAsJson() {
        var file = LIVE.resolve("lint").resolve("unknown-class.yaml").toString();
        var kubeconfig = filled.server().kubeconfig().toString();
        var run = CommandRun.of("lint", "--kubeconfig", kubeconfig, "-o", "json", file);
        var report = JsonReader.read(run.out()).object().orElseThrow();
        assertThat(report.number("warnings")).hasValue(1);
        var finding = report.objects("findings").getFirst();
        assertThat(finding.text("severity")).isEqualTo("warning");
        assertThat(finding.number("line")).hasValue(10);
        assertThat(finding.text("message")).contains("there is no DeviceClass gpu.nvidia.co;");
    }
}
