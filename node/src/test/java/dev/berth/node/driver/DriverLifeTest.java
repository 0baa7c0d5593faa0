package dev.berth.node.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.api.meta.Uid;
import dev.berth.wire.health.v1.HealthStatus;
import dev.berth.wire.health.v1.NodeWatchResourcesResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverLifeTest {

    @TempDir private static Path directory = Path.of("");

    private DriverRig rig;
    private final CountingDriver driver = new CountingDriver();

    @BeforeEach
    void start() throws Exception {
        rig = new DriverRig(Files.createTempDirectory(directory, "t"));
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private DriverHost host() throws DriverException {
        var host = DriverHost.start(rig.options(), rig.cluster, driver);
        rig.kubelet.scan();
        return host;
    }

    @Test
    void aKubeletFindsTheDriver() throws Exception {
        try (var host = host()) {
            assertThat(rig.kubelet.registered())
                    .singleElement()
                    .satisfies(about -> {
                        assertThat(about.getType()).isEqualTo("DRAPlugin");
                        assertThat(about.getName()).isEqualTo("gpu.example.com");
                        assertThat(about.getSupportedVersionsList())
                                .containsExactly("v1.DRAPlugin", "v1beta1.DRAPlugin");
                    });
            assertThat(host.isRegistered()).isTrue();
        }
        rig.kubelet.scan();
        assertThat(rig.kubelet.registered()).isEmpty();
    }

    @Test
    void healthIsStreamedWhenItChanges() throws Exception {
        Iterator<NodeWatchResourcesResponse> stream;
        try (var host = DriverHost.start(rig.options().withHealth(), rig.cluster, driver)) {
            rig.kubelet.scan();
            assertThat(rig.kubelet.registered().getFirst().getSupportedVersionsList())
                    .endsWith("v1.DRAResourceHealth", "v1alpha1.DRAResourceHealth");
            host.reportHealth(List.of(DeviceHealth.healthy("node-1", "gpu-0")));
            stream = rig.kubelet.watchHealth();
            assertThat(stream.next().getDevices(0).getHealth()).isEqualTo(HealthStatus.HEALTHY);
            host.reportHealth(List.of(DeviceHealth.unhealthy("node-1", "gpu-0", "hot")));
            var received = stream.next().getDevices(0);
            assertThat(received.getHealth()).isEqualTo(HealthStatus.UNHEALTHY);
            assertThat(received.getMessage()).isEqualTo("hot");
            assertThat(received.getDevice().getPoolName()).isEqualTo("node-1");
        }
        assertThat(stream.hasNext()).isFalse();
    }

    @Test
    void metricsCountOperations() throws Exception {
        var claim = rig.claim("c", "gpu-0");
        try (var host = host()) {
            rig.kubelet.prepare(claim);
            rig.kubelet.prepare(new ClaimRef("default", "no", new Uid("x")));
            assertThat(host.metrics())
                    .contains(
                            "berth_driver_operation_duration_seconds_count"
                                    + "{driver_name=\"gpu.example.com\",is_error=\"false\","
                                    + "operation=\"prepare\"} 1",
                            "is_error=\"true\",operation=\"prepare\"} 1",
                            "berth_driver_prepared_claims{driver_name=\"gpu.example.com\"} 1.0");
        }
    }

    @Test
    void twoInstancesServeDuringAnUpdate() throws Exception {
        var claim = rig.claim("c", "gpu-0");
        var newer = new CountingDriver();
        var old = DriverHost.start(rig.options().withInstance("uid-1"), rig.cluster, driver);
        rig.kubelet.scan();
        var response = rig.kubelet.prepare(claim);
        try (var _ = DriverHost.start(rig.options().withInstance("uid-2"), rig.cluster, newer)) {
            rig.kubelet.scan();
            assertThat(rig.kubelet.registered()).hasSize(2);
            assertThat(rig.kubelet.prepare(claim)).isEqualTo(response);
            old.close();
            rig.kubelet.scan();
            assertThat(rig.kubelet.registered()).hasSize(1);
            assertThat(rig.kubelet.unprepare(claim)).isEmpty();
            assertThat(newer.prepared).isEmpty();
            assertThat(newer.unprepared).hasSize(1);
        } finally {
            old.close();
        }
    }

    @Test
    void invalidCdiVendorsAreRefusedAtStart() {
        assertThatThrownBy(() ->
                        DriverHost.start(
                                DriverOptions.of("3d.example.com", "node-1"), rig.cluster, driver))
                .isInstanceOf(DriverException.class)
                .hasMessage(
                        "driver name \"3d.example.com\" is not a valid CDI vendor: vendor"
                                + " \"3d.example.com\" must begin with a letter");
    }

    @Test
    void aMissingNodeNameIsAnError() {
        assertThatThrownBy(() -> DriverOptions.fromEnvironment("a.b", Map.of()))
                .isInstanceOf(DriverException.class)
                .hasMessageStartingWith("NODE_NAME is not set; set it");
    }

    @Test
    void longNamesOfSocketsAreShortened() {
        var instance = "0d5f2a9e-0f5c-4a58-8c0f-2f6f4f0c1b2a";
        var options = DriverOptions.of("gpu.example.com", "n").withInstance(instance);
        assertThat(SocketNames.service(options))
                .hasToString("/var/lib/kubelet/plugins/gpu.example.com/dra-" + instance + ".sock");
        assertThat(SocketNames.registration(options))
                .hasToString(
                        "/var/lib/kubelet/plugins_registry/gpu.example.com-%s-reg.sock"
                                .formatted(instance));
        var longer = DriverOptions.of("g" + "pu".repeat(15), "n").withInstance(instance);
        assertThat(SocketNames.registration(longer).getFileName().toString())
                .matches("g(pu){15}-[-_A-Za-z0-9]{11}-reg\\.sock");
        var longest = DriverOptions.of("g" + "pu".repeat(60), "n").withInstance(instance);
        assertThat(SocketNames.registration(longest).getFileName().toString())
                .matches("dra-[-_A-Za-z0-9]{22}-reg\\.sock");
    }
}
