package dev.berth.app.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.CommandRun;
import dev.berth.app.running.ClusterRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth up --detach`, `status`, `nodes` and `down` with a real process.
class DetachedClusterTest {

    @TempDir private Path directory;

    @AfterEach
    void stop() {
        CommandRun.of("down", "--data-dir", data());
    }

    private String data() {
        return directory.resolve("data").toString();
    }

    @Test
    void aClusterInTheBackgroundIsStoppedByDown() {
        var up = up("--wait=60", "--nodes", "cpu=1");
        assertThat(up.exitCode()).as(up.err()).isZero();
        assertThat(up.out())
                .startsWith("A cluster (Kubernetes 1.37) is up at https://127.0.0.1:")
                .contains("1 x cpu")
                .endsWith("`berth down --data-dir " + data() + "` stops it.\n");
        var status = CommandRun.of("status", "--wait=30", "--data-dir", data());
        assertThat(status.exitCode()).isZero();
        assertThat(status.out()).contains("State:      ready", "Nodes:      1 of 1 ready");
        assertThat(up("--nodes", "cpu=1").err())
                .contains("berth: a cluster already runs in " + data());

        var kubeconfig = data() + "/kubeconfig";
        var added = CommandRun.of("nodes", "add", "t4x2=2,cpu", "--kubeconfig", kubeconfig);
        assertThat(added.out())
                .isEqualTo("node/t4x2-0 added\nnode/t4x2-1 added\nnode/cpu-1 added\n");
        assertThat(added.err()).contains("berth: using https://127.0.0.1:");
        var unknown = CommandRun.of("nodes", "add", "t5", "--kubeconfig", kubeconfig);
        assertThat(unknown.exitCode()).isEqualTo(1);
        assertThat(unknown.err()).contains("unknown hardware profile \"t5\"");
        var removed = CommandRun.of("nodes", "remove", "t4x2-0", "--kubeconfig", kubeconfig);
        assertThat(removed.out()).isEqualTo("node/t4x2-0 removed\n");
        assertThat(CommandRun.of("nodes", "list", "--kubeconfig", kubeconfig).out())
                .containsPattern("t4x2-1 +t4x2 +Ready +.*2 gpu.nvidia.com")
                .doesNotContain("t4x2-0", "t5-0");

        var down = CommandRun.of("down", "--data-dir", data(), "--delete-data");
        assertThat(down.exitCode()).as(down.err()).isZero();
        assertThat(down.out())
                .isEqualTo("Stopped the cluster in %s%nDeleted %s%n".formatted(data(), data()));
        assertThat(Path.of(data())).doesNotExist();
    }

    @Test
    void aStartThatFailsShowsTheEndOfTheLog() throws IOException {
        var up = up("--wait=60", "--nodes", "cpu=1", "--bind", "256.1.1.1");
        assertThat(up.exitCode()).isEqualTo(1);
        assertThat(up.err())
                .startsWith("berth: the cluster did not start (exit code 1); the end of " + data())
                .contains("256.1.1.1");
        assertThat(CommandRun.of("status", "--data-dir", data()).exitCode()).isEqualTo(1);
    }

    @Test
    void theRecordOfAKilledProcessDoesNotHinderDown() throws IOException {
        Files.createDirectories(Path.of(data()));
        Files.writeString(
                Path.of(data(), "cluster.json"),
                """
                {"pid": %d, "process": "another boot/1", "startedAt": "2026-01-02T03:04:05Z",
                 "server": "https://127.0.0.1:1", "phase": "ready", "progress": "", "nodes": []}
                """
                        .formatted(ProcessHandle.current().pid()));
        assertThat(CommandRun.of("status", "--data-dir", data()).exitCode()).isEqualTo(1);
        var down = CommandRun.of("down", "--data-dir", data());
        assertThat(down.exitCode()).isZero();
        assertThat(down.out()).startsWith("No cluster runs in " + data());
        assertThat(ClusterRecord.read(Path.of(data()))).isEmpty();
    }

    private CommandRun up(String... more) {
        var arguments = new ArrayList<String>();
        arguments.addAll(List.of("up", "--detach", "--port", "0", "--data-dir", data()));
        arguments.addAll(List.of(more));
        return CommandRun.of(arguments.toArray(String[]::new));
    }
}
