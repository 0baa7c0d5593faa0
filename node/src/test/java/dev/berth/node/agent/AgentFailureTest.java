package dev.berth.node.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.harness.Eventually;
import dev.berth.model.json.JsonObject;
import dev.berth.node.driver.CountingDriver;
import dev.berth.node.driver.DriverHost;
import dev.berth.node.driver.DriverOptions;
import dev.berth.node.driver.DriverRig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Failures on a node: each is reported by an event, and the agent recovers when the cause is gone.
class AgentFailureTest {

    private static final ResourcePath CLAIMS =
            new ResourcePath("resource.k8s.io", "v1", "resourceclaims");

    private final MemoryRuntime runtime = new MemoryRuntime();
    private final ObjectCache<JsonObject> events = ObjectCache.ofJson();
    private final CountingDriver driver = new CountingDriver();
    private Path directory = Path.of("");
    private AgentRig rig;
    private Optional<NodeAgent> agent = Optional.empty();

    @BeforeEach
    void start() throws Exception {
        directory = Files.createTempDirectory("at");
        rig = new AgentRig(directory);
        rig.cluster.watch(ResourcePath.EVENTS, "", events);
    }

    @AfterEach
    void stop() throws Exception {
        agent.ifPresent(NodeAgent::close);
        rig.close();
        if (isMounted()) {
            run("umount", rig.root.toString());
        }
        try (var all = Files.walk(directory)) {
            for (var path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    @Test
    void aFullDiskIsReportedAndRecoveredFrom() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "mounting needs root");
        Files.createDirectories(rig.root);
        run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", rig.root.toString());
        agent = Optional.of(NodeAgent.start(rig.options(), rig.cluster, runtime));
        try (var _ = host(directory.resolve("data"))) {
            Eventually.holds("the driver is there", () -> !drivers().isEmpty());
            var filler = rig.root.resolve("filler");
            fill(filler);
            claimAndPod();
            awaitEvent("No space left on device");
            assertThat(rig.phase("p")).isEqualTo("Pending");
            Files.delete(filler);
            rig.awaitPhase("p", "Running");
            fill(filler);
            rig.delete("p");
            awaitEvent("Failed to unprepare dynamic resources");
            assertThat(rig.phase("p")).isEqualTo("Running");
            Files.delete(filler);
            rig.awaitPhase("p", "gone");
            assertThat(driver.unprepared).hasSize(1);
        }
    }

    @Test
    void aVanishedSocketIsReportedAndRecoveredFrom() throws Exception {
        agent = Optional.of(NodeAgent.start(rig.options(), rig.cluster, runtime));
        try (var _ = host(directory.resolve("data"))) {
            Eventually.holds("the driver is there", () -> !drivers().isEmpty());
            try (var all = Files.list(rig.options().registry())) {
                for (var socket : all.toList()) {
                    Files.delete(socket);
                }
            }
            Eventually.holds("it is away", () -> drivers().isEmpty());
            claimAndPod();
            awaitEvent("DRA driver gpu.example.com is not registered");
        }
        try (var _ = host(directory.resolve("data"))) {
            rig.awaitPhase("p", "Running");
        }
        // A running pod does not need its driver until it terminates.
        assertThat(rig.phase("p")).isEqualTo("Running");
        rig.delete("p");
        awaitEvent(
                "Failed to unprepare dynamic resources: unprepare dynamic resources: DRA driver");
        assertThat(rig.phase("p")).isEqualTo("Running");
        try (var _ = host(directory.resolve("data"))) {
            rig.awaitPhase("p", "gone");
        }
    }

    @Test
    void aDriverWithoutItsAgentWaitsForIt() throws Exception {
        try (var host = host(directory.resolve("data"))) {
            claimAndPod();
            assertThat(host.isRegistered()).isFalse();
            agent = Optional.of(NodeAgent.start(rig.options(), rig.cluster, runtime));
            rig.awaitPhase("p", "Running");
            assertThat(host.isRegistered()).isTrue();
        }
    }

    @Test
    void aFailingRuntimeIsReportedAndRecoveredFrom() throws Exception {
        agent = Optional.of(NodeAgent.start(rig.options(), rig.cluster, runtime));
        runtime.failure = "no more processes";
        rig.create(
                "{metadata: {name: p}, spec: {nodeName: node-1, containers: [{name: a,"
                        + " image: i}]}}");
        awaitEvent("Failed to create pod sandbox: no more processes");
        runtime.failure = "";
        rig.awaitPhase("p", "Running");
    }

    @Test
    void anUnavailableApiServerIsWaitedFor() throws Exception {
        agent = Optional.of(NodeAgent.start(rig.options(), rig.cluster, runtime));
        rig.create(
                "{metadata: {name: p}, spec: {nodeName: node-1, restartPolicy: Never,"
                        + " containers: [{name: a, image: i}]}}");
        rig.awaitPhase("p", "Running");
        rig.pause();
        runtime.exit("a", 0);
        Eventually.holds("it was seen", () -> runtime.log.contains("exit a 0"));
        assertThat(runtime.log).doesNotContain("remove sandbox p");
        rig.resume();
        rig.awaitPhase("p", "Succeeded");
        assertThat(runtime.sandboxes()).isEmpty();
    }

    private List<String> drivers() {
        return agent.orElseThrow().drivers();
    }

    private DriverHost host(Path data) throws Exception {
        var options =
                DriverOptions.of("gpu.example.com", "node-1")
                        .withDirectories(rig.options().registry(), data, directory.resolve("cdi"));
        return DriverHost.start(options, rig.cluster, driver);
    }

    private void claimAndPod() {
        var claim =
                rig.send(
                        Request.Create.of(
                                CLAIMS,
                                "default",
                                DriverRig.tree(
                                        "{metadata: {name: c}, spec: {devices: {requests: [{name:"
                                                + " g, exactly: {deviceClassName: any}}]}}}")));
        var pod =
                rig.create(
                        """
                        metadata: {name: p}
                        spec:
                          nodeName: node-1
                          terminationGracePeriodSeconds: 1
                          resourceClaims: [{name: gpu, resourceClaimName: c}]
                          containers:
                          - {name: a, image: i, resources: {claims: [{name: gpu}]}}
                        """);
        var status =
                DriverRig.tree(
                        "{allocation: {devices: {results: [{request: g, driver: gpu.example.com,"
                                + " pool: node-1, device: gpu-0}]}}, reservedFor: [{resource:"
                                + " pods, name: p, uid: %s}]}"
                                        .formatted(pod.objectOrEmpty("metadata").text("uid")));
        rig.send(
                new Request.Update(CLAIMS, "default", "c", "status", claim.with("status", status)));
    }

    private static void fill(Path file) {
        try (var out = Files.newOutputStream(file)) {
            for (var i = 0; i < 1024; i++) {
                out.write(new byte[1024]);
            }
        } catch (IOException _) {
            // The disk is full now.
        }
    }

    private boolean isMounted() throws IOException {
        return Files.readString(Path.of("/proc/self/mounts")).contains(rig.root.toString());
    }

    private static void run(String... command) throws Exception {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    private void awaitEvent(String text) throws Exception {
        Eventually.holds(
                "it is reported: " + text,
                () -> events.all().stream().anyMatch(one -> one.text("message").contains(text)));
    }
}
