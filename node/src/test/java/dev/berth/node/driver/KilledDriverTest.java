package dev.berth.node.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.harness.Eventually;
import dev.berth.wire.dra.v1.NodePrepareResourceResponse;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Crash tests of drivers, in processes of their own.
class KilledDriverTest {

    @TempDir private static Path directory = Path.of("");

    private DriverRig rig;
    private Optional<Process> process = Optional.empty();
    private ClaimRef claim;

    @BeforeEach
    void start() throws Exception {
        rig = new DriverRig(Files.createTempDirectory(directory, "t"));
        claim = rig.claim("c", "gpu-0");
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (process.isPresent()) {
            process.get().destroyForcibly().waitFor();
        }
        rig.close();
    }

    @Test
    void anInterruptedPrepareIsCompletedByTheNextProcess() throws Exception {
        run("prepare ends");
        awaitRegistration();
        assertThatThrownBy(() -> rig.kubelet.prepare(claim))
                .isInstanceOf(StatusRuntimeException.class);
        process.orElseThrow().waitFor();
        run("never");
        var response = responded(() -> rig.kubelet.prepare(claim));
        assertThat(response.getError()).isEmpty();
        assertThat(rig.kubelet.prepare(claim)).isEqualTo(response);
        assertThat(log())
                .containsExactly(
                        "prepare begins", "prepare ends", "prepare begins", "prepare ends");
    }

    @Test
    void anInterruptedPrepareIsUnpreparedByTheNextProcess() throws Exception {
        run("prepare begins");
        awaitRegistration();
        assertThatThrownBy(() -> rig.kubelet.prepare(claim))
                .isInstanceOf(StatusRuntimeException.class);
        process.orElseThrow().waitFor();
        run("unprepare begins");
        Eventually.holds(
                "it has died again",
                () -> {
                    try {
                        var _ = rig.kubelet.unprepare(claim);
                        return false;
                    } catch (StatusRuntimeException _) {
                        return !process.orElseThrow().isAlive();
                    }
                });
        run("never");
        assertThat(responded(() -> rig.kubelet.unprepare(claim))).isEmpty();
        assertThat(log())
                .containsExactly(
                        "prepare begins", "unprepare begins", "unprepare begins", "unprepare ends");
        try (var left = Files.list(rig.data(DriverRig.DRIVER).resolve("claims"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void claimsPreparedBeforeARebootArePreparedAgain() throws Exception {
        run("never");
        awaitRegistration();
        NodePrepareResourceResponse response = rig.kubelet.prepare(claim);
        var record = rig.data(DriverRig.DRIVER).resolve("claims").resolve(claim.uid() + ".json");
        Files.writeString(record, Files.readString(record).replace(BootId.id(), "another"));
        assertThat(rig.kubelet.prepare(claim)).isEqualTo(response);
        assertThat(log()).hasSize(4);
    }

    private void run(String haltAt) throws IOException {
        var builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HaltingDriver.class.getName(),
                        rig.directory.resolve("log").toString(),
                        haltAt);
        var environment = builder.environment();
        environment.put("NODE_NAME", "node-1");
        environment.put("KUBELET_ROOT", rig.directory.resolve("k").toString());
        environment.put("CDI_ROOT", rig.cdi().toString());
        environment.put("KUBECONFIG", rig.server.kubeconfig().toString());
        process =
                Optional.of(
                        builder.redirectErrorStream(true)
                                .redirectOutput(rig.directory.resolve("driver.log").toFile())
                                .start());
    }

    private void awaitRegistration() throws Exception {
        Eventually.holds(
                "it is registered",
                () -> {
                    rig.kubelet.scan();
                    return !rig.kubelet.registered().isEmpty();
                });
    }

    private List<String> log() throws IOException {
        return Files.readAllLines(rig.directory.resolve("log"));
    }

    private static <T> T responded(Callable<T> call) {
        return Eventually.succeeds(StatusRuntimeException.class, call);
    }
}
