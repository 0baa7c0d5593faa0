package dev.berth.app.running;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.running.ClusterRecord.NodeGroup;
import dev.berth.app.running.ClusterRecord.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterRecordTest {

    @TempDir private Path directory;

    private ClusterRecord own() {
        return ClusterRecord.ofThisProcess(
                        directory,
                        "https://127.0.0.1:6443",
                        List.of(new NodeGroup("cpu", 2, "a plain node")),
                        Instant.parse("2026-01-02T03:04:05Z"))
                .with(Phase.UP, "waiting")
                .withRealNode("machine");
    }

    @Test
    void aRecordIsReadAsItWasWritten() {
        own().write();
        assertThat(ClusterRecord.running(directory)).contains(own());
        own().delete();
        assertThat(ClusterRecord.read(directory)).isEmpty();
    }

    @Test
    void aProcessWithTheSamePidIsNotTheCluster() {
        var own = own();
        new ClusterRecord(
                        directory,
                        own.pid(),
                        "an earlier boot/1",
                        own.startedAt(),
                        own.server(),
                        own.phase(),
                        "",
                        List.of(),
                        own.realNode())
                .write();
        assertThat(ClusterRecord.read(directory)).isPresent();
        assertThat(ClusterRecord.running(directory)).isEmpty();
        own.delete();
        assertThat(ClusterRecord.read(directory)).as("of another process").isPresent();
    }

    @Test
    void aProcessThatHasEndedIsNotRunning() throws IOException, InterruptedException {
        var process = new ProcessBuilder("true").start();
        process.waitFor();
        assertThat(ClusterProcessId.of(process.pid())).isEmpty();
    }

    @Test
    void aBrokenRecordCountsAsNone() throws IOException {
        Files.writeString(directory.resolve("cluster.json"), "{\"pid\": 1, \"phase\": \"x\"}");
        assertThat(ClusterRecord.read(directory)).isEmpty();
        Files.writeString(directory.resolve("cluster.json"), "{");
        assertThat(ClusterRecord.read(directory)).isEmpty();
    }

    @Test
    void theRegistryListsRunningClustersOnly() throws IOException {
        var registry = new ClusterRegistry(directory.resolve("registry"));
        assertThat(registry.running()).isEmpty();
        registry.add(directory);
        registry.add(directory.resolve("gone"));
        own().write();
        assertThat(registry.running()).containsExactly(own());
        try (var entries = Files.list(directory.resolve("registry"))) {
            assertThat(entries).hasSize(1);
        }
        registry.remove(directory);
        assertThat(registry.running()).isEmpty();
    }

    @Test
    void directoriesFollowTheEnvironment() {
        assertThat(DataDirectory.usual(Map.of("HOME", "/home/a")))
                .hasToString("/home/a/.local/share/berth");
        assertThat(DataDirectory.usual(Map.of("HOME", "/home/a", "XDG_DATA_HOME", "/data")))
                .hasToString("/data/berth");
        assertThat(DataDirectory.registry(Map.of("HOME", "/home/a")))
                .hasToString("/home/a/.local/state/berth/clusters");
    }
}
