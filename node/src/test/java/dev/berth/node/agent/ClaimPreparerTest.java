package dev.berth.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import dev.berth.metrics.MetricsRegistry;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.node.driver.CountingDriver;
import dev.berth.node.driver.DriverHost;
import dev.berth.node.driver.DriverRig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Agent and driver together, over real sockets and with a real API server.
class ClaimPreparerTest {

    private static final Uid POD = new Uid("0b0c8d5e-0000-4000-8000-000000000001");

    @TempDir private static Path directory = Path.of("");

    private final CountingDriver driver = new CountingDriver();
    private DriverRig rig;
    private PluginWatcher plugins;

    @BeforeEach
    void start() throws Exception {
        rig = new DriverRig(Files.createTempDirectory(directory, "t"));
        plugins = new PluginWatcher(rig.registry());
        var claim = rig.claim("c", "gpu-0", "gpu-1");
        rig.reserve(claim, "pod", POD.value());
    }

    @AfterEach
    void stop() {
        plugins.close();
        rig.close();
    }

    @Test
    void claimsArePreparedAndUnprepared() throws Exception {
        var caretaker = caretaker();
        assertThat(caretaker.prepare(pod()))
                .contains("DRA driver gpu.example.com is not registered");
        assertThat(caretaker.claimStates()).isEqualTo(NodeClaimStates.NONE);
        try (var _ = host()) {
            awaitDriver();
            assertThat(caretaker.prepare(pod())).isEmpty();
            assertThat(caretaker.devices(pod(), pod().spec().containers().getFirst())).hasSize(2);
            assertThat(caretaker.prepare(pod())).isEmpty();
            assertThat(driver.prepared).hasSize(1);
            assertThat(caretaker.unprepare(POD)).isEmpty();
            assertThat(caretaker.claimStates()).isEqualTo(NodeClaimStates.NONE);
            assertThat(driver.unprepared).hasSize(1);
        }
    }

    @Test
    void aKilledAgentContinuesAfterARestart() throws Exception {
        try (var _ = host()) {
            awaitDriver();
            assertThat(caretaker().prepare(pod())).isEmpty();
            var next = caretaker();
            // Restarted containers need no driver.
            assertThat(next.devices(pod(), pod().spec().containers().getFirst())).hasSize(2);
            assertThat(next.prepare(pod())).isEmpty();
            assertThat(driver.prepared).hasSize(1);
            assertThat(next.unprepare(POD)).isEmpty();
            assertThat(caretaker().claimStates()).isEqualTo(NodeClaimStates.NONE);
        }
    }

    @Test
    void failuresAreReportedAndRetried() throws Exception {
        var caretaker = caretaker();
        try (var _ = host()) {
            awaitDriver();
            driver.failure = "no power";
            assertThat(caretaker.prepare(pod()))
                    .contains("NodePrepareResources failed for ResourceClaim c: no power");
            assertThat(caretaker.unprepare(POD))
                    .contains("NodeUnprepareResources failed for ResourceClaim c: no power");
            assertThat(caretaker.prepare(pod())).contains("ResourceClaim c is being unprepared");
            driver.failure = "";
            assertThat(caretaker.unprepare(POD)).isEmpty();
            assertThat(caretaker.prepare(pod())).isEmpty();
        }
    }

    @Test
    void aClaimStaysUntilItsDriverReturnsAndUnpreparesIt() throws Exception {
        var caretaker = caretaker();
        try (var _ = host()) {
            awaitDriver();
            assertThat(caretaker.prepare(pod())).isEmpty();
        }
        Eventually.holds("the driver is gone", () -> plugins.drivers().isEmpty());
        assertThat(caretaker.unprepare(POD))
                .contains("DRA driver gpu.example.com is not registered");
        assertThat(caretaker.claimStates().claims()).hasSize(1);
        try (var _ = host()) {
            awaitDriver();
            assertThat(caretaker.unprepare(POD)).isEmpty();
            assertThat(driver.unprepared).hasSize(1);
        }
    }

    @Test
    void aRestartedDriverIsRegisteredAgain() throws Exception {
        for (var i = 0; i < 3; i++) {
            try (var host = host()) {
                Eventually.holds("it is registered", host::isRegistered);
            }
        }
    }

    private ClaimPreparer caretaker() throws IOException {
        return new ClaimPreparer(
                rig.cluster, plugins, rig.directory.resolve("agent"), MetricsRegistry.off());
    }

    private DriverHost host() throws Exception {
        return DriverHost.start(rig.options(), rig.cluster, driver);
    }

    private void awaitDriver() throws Exception {
        Eventually.holds("the driver is registered", () -> !plugins.drivers().isEmpty());
    }

    private static Pod pod() {
        return new Codec()
                .readTree(
                        Kinds.POD,
                        DriverRig.tree(
                                """
                                metadata: {name: pod, namespace: default, uid: %s}
                                spec:
                                  resourceClaims: [{name: gpus, resourceClaimName: c}]
                                  containers: [{name: a, resources: {claims: [{name: gpus}]}}]
                                """
                                        .formatted(POD)),
                        UnknownFieldPolicy.LENIENT)
                .orThrow();
    }
}
