package dev.berth.node.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.ProgramEnvironment;
import dev.berth.client.http.ClientOptions;
import dev.berth.client.http.HttpCluster;
import dev.berth.harness.Eventually;
import dev.berth.model.api.slice.Device;
import dev.berth.model.codec.Kinds;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Messages of a driver that waits, and exit codes of a driver that cannot start.
class DriverWaitsTest {

    @TempDir private static Path directory = Path.of("");

    private final List<String> reports = new CopyOnWriteArrayList<>();
    private DriverRig rig;

    @BeforeEach
    void start() throws Exception {
        rig = new DriverRig(Files.createTempDirectory(directory, "t"));
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private DriverOptions options(String node) {
        return DriverOptions.of(DriverRig.DRIVER, node)
                .withDirectories(rig.registry(), rig.data(DriverRig.DRIVER), rig.cdi())
                .withProblems(problem -> reports.add(problem.message()));
    }

    @Test
    void aMissingRegistrationDirectoryIsReported() throws Exception {
        Files.delete(rig.registry());
        try (var _ = DriverHost.start(options("node-1"), rig.cluster, new CountingDriver())) {
            assertThat(reports)
                    .singleElement()
                    .asString()
                    .startsWith(
                            "waiting for a kubelet: no registration directory " + rig.registry());
        }
    }

    @Test
    void aKubeletThatDoesNotRegisterTheDriverIsReported() throws Exception {
        var waits = new WaitReport(problem -> reports.add(problem.message()));
        try (var wait =
                new RegistrationWait(options("node-1"), waits, Duration.ofMillis(1), () -> false)) {
            wait.start();
            Eventually.holds("it is reported", () -> !reports.isEmpty());
        }
        assertThat(reports)
                .singleElement()
                .asString()
                .startsWith(
                        "waiting for a kubelet to register plugin gpu.example.com through "
                                + rig.registry().resolve("gpu.example.com-reg.sock"));
    }

    @Test
    void aMissingNodeIsReportedOnceAndSlicesArePublishedWhenItExists() throws Exception {
        try (var host = DriverHost.start(options("nope"), rig.cluster, new CountingDriver())) {
            host.publish(List.of(Device.named("a")));
            Eventually.holds("it is reported", () -> !reports.isEmpty());
            host.publish(List.of(Device.named("b")));
            rig.send(
                    Request.Create.of(
                            ResourcePath.of(Kinds.NODE),
                            "",
                            DriverRig.tree("{metadata: {name: nope}}")));
            Eventually.holds("the slice is published", host::isPublished);
        }
        assertThat(reports)
                .containsExactly(
                        "waiting for Node nope: it does not exist in the cluster %s; set"
                                        .formatted(rig.cluster.description())
                                + " NODE_NAME to one of: node-1");
        assertThat(reports.getFirst()).contains("https://127.0.0.1:");
    }

    @Test
    void aServerThatDoesNotAnswerIsReportedOnce() throws Exception {
        try (var cluster = new HttpCluster(unreachable(), ClientOptions.of("test", "0"));
                var host = DriverHost.start(options("node-1"), cluster, new CountingDriver())) {
            host.publish(List.of(Device.named("a")));
            Eventually.holds("it is reported", () -> !reports.isEmpty());
            host.publish(List.of(Device.named("b")));
        }
        assertThat(reports)
                .singleElement()
                .asString()
                .startsWith("waiting for the API server: no API server responds at https://")
                .endsWith("connection refused");
    }

    /// A client of a port on which nothing listens.
    private ClusterAccess unreachable() throws Exception {
        try (var socket = new ServerSocket(0)) {
            var kubeconfig = rig.directory.resolve("unreachable.kubeconfig");
            var text = Files.readString(rig.server.kubeconfig());
            Files.writeString(
                    kubeconfig,
                    text.replaceAll(
                            "https://127.0.0.1:\\d+",
                            "https://127.0.0.1:" + socket.getLocalPort()));
            var around = new ProgramEnvironment(Map.of(), directory, directory, Clock.systemUTC());
            return ClusterAccess.find(around, Optional.of(kubeconfig), Optional.empty());
        }
    }

    @Test
    void aMissingNodeNameExitsWithOneMessage() {
        var code =
                DriverProgram.run(
                        DriverRig.DRIVER,
                        UnaryOperator.identity(),
                        new CountingDriver(),
                        _ -> {},
                        Map.of(),
                        reports::add);
        assertThat(code).isEqualTo(DriverProgram.BAD_ENVIRONMENT);
        assertThat(reports)
                .containsExactly(
                        "NODE_NAME is not set; set it to the name of the Node on which the driver"
                                + " runs (in a pod by fieldRef spec.nodeName)");
    }

    @Test
    void controlSequencesAreNotPrinted() {
        var bytes = new ByteArrayOutputStream();
        StderrReporter.print(
                new PrintStream(bytes, true, StandardCharsets.UTF_8),
                "d",
                "a\u001b[31mb\nc\u202ed");
        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .isEqualToIgnoringNewLines("d: a?[31mb?c?d");
    }
}
