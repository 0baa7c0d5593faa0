package dev.berth.app.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.app.running.ClusterRecord;
import dev.berth.client.config.ConfigException;
import dev.berth.client.config.ProgramEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The order in which commands look for a cluster.
class ClusterChoiceTest {

    @TempDir private Path directory;
    private Path data;
    private Path home;

    @BeforeEach
    void prepare() throws IOException {
        data = Files.createDirectories(directory.resolve("data"));
        home = Files.createDirectories(directory.resolve("home"));
        kubeconfig(data.resolve("kubeconfig"), "running");
        kubeconfig(directory.resolve("flag"), "flag");
        kubeconfig(directory.resolve("variable"), "variable");
        Files.createDirectories(home.resolve(".kube"));
        kubeconfig(home.resolve(".kube").resolve("config"), "home");
    }

    @Test
    void flagsPrecedeTheVariableTheRunningClusterAndTheHome() throws IOException {
        run();
        var variable = Map.of("KUBECONFIG", directory.resolve("variable").toString());
        assertThat(found(variable, Optional.of(directory.resolve("flag")), Optional.empty()))
                .startsWith("https://flag:6443");
        assertThat(found(variable, Optional.empty(), Optional.empty()))
                .startsWith("https://variable:6443");
        assertThat(found(Map.of(), Optional.empty(), Optional.empty()))
                .isEqualTo("https://running:6443 (running cluster in %s)".formatted(data));
        assertThat(found(Map.of(), Optional.empty(), Optional.of("other")))
                .startsWith("https://home:6443");

        ClusterRecord.read(data).orElseThrow().delete();
        assertThat(found(Map.of(), Optional.empty(), Optional.empty()))
                .startsWith("https://home:6443");
        Files.delete(home.resolve(".kube").resolve("config"));
        assertThatThrownBy(() -> found(Map.of(), Optional.empty(), Optional.empty()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("start one with `berth up`");
    }

    private void run() {
        ClusterRecord.ofThisProcess(data, "https://running:6443", List.of(), Instant.EPOCH).write();
    }

    private String found(
            Map<String, String> environment, Optional<Path> flag, Optional<String> context) {
        var around = new ProgramEnvironment(environment, home, home, Clock.systemUTC());
        return ClusterChoice.find(around, flag, context, data).toString();
    }

    private static void kubeconfig(Path file, String host) throws IOException {
        Files.writeString(
                file,
                """
                clusters: [{name: c, cluster: {server: "https://%s:6443"}}]
                contexts: [{name: c, context: {cluster: c}}, {name: other, context: {cluster: c}}]
                current-context: c
                """
                        .formatted(host));
    }
}
