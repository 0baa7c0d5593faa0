package dev.berth.drivers.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.harness.Eventually;
import dev.berth.inprocess.EmbeddedCluster;
import dev.berth.metrics.MetricsRegistry;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.node.agent.ClaimPreparer;
import dev.berth.node.agent.PluginWatcher;
import dev.berth.node.cdi.CdiRegistry;
import dev.berth.node.cdi.ContainerEdits;
import dev.berth.node.driver.DriverOptions;
import dev.berth.node.socket.SocketChannel;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.StoreChoice;
import dev.berth.server.access.User;
import dev.berth.wire.health.v1.DRAResourceHealthGrpc;
import dev.berth.wire.health.v1.HealthStatus;
import dev.berth.wire.health.v1.NodeWatchResourcesRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Simulated drivers on a real node agent, over real sockets.
class SimulatedDriversTest {

    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);
    private static final ResourcePath SLICES = ResourcePath.of(Kinds.RESOURCE_SLICE);
    private static final Uid POD = new Uid("0b0c8d5e-0000-4000-8000-000000000001");

    @TempDir private Path directory = Path.of("");
    private ApiServer server;
    private Cluster cluster;
    private PluginWatcher plugins;
    private SimulatedDrivers drivers;
    private ClaimPreparer caretaker;

    @BeforeEach
    void start() throws Exception {
        server =
                ApiServer.start(
                        ServerSettings.in(directory.resolve("s"))
                                .withAddress("127.0.0.1", 0)
                                .withStore(new StoreChoice.Memory()));
        cluster = new EmbeddedCluster(server, User.of("test", User.MASTERS), "test");
        send(Request.Create.of(ResourcePath.of(Kinds.NODE), "", tree("{metadata: {name: n1}}")));
        plugins = new PluginWatcher(directory.resolve("r"));
        caretaker =
                new ClaimPreparer(cluster, plugins, directory.resolve("a"), MetricsRegistry.off());
        var profile = HardwareProfiles.builtIn().find("h100x8").orElseThrow();
        drivers =
                SimulatedDrivers.start(
                        profile.node("n1", 0), profile.sharedPools(), this::options, cluster);
        Eventually.holds(
                "the drivers are there", () -> drivers.isRegistered() && drivers.isPublished());
    }

    private DriverOptions options(String driver) {
        return DriverOptions.of(driver, "n1")
                .withDirectories(directory.resolve("r"), data(driver), directory.resolve("c"));
    }

    private Path data(String driver) {
        return directory.resolve(driver);
    }

    @AfterEach
    void stop() {
        drivers.close();
        plugins.close();
        cluster.close();
        server.close();
    }

    @Test
    void containersFindTheirDevicesInVariablesAndFiles() throws Exception {
        claim("gpu-0", "gpu-1");
        assertThat(caretaker.prepare(pod())).isEmpty();
        var edits = edits();
        assertThat(edits.env())
                .contains("BERTH_DEVICE_BIG_GPUS=gpu-0,gpu-1")
                .anyMatch(variable ->
                        variable.matches("NVIDIA_VISIBLE_DEVICES=GPU-[-0-9a-f]+,GPU-[-0-9a-f]+"));
        var mount = edits.mounts().getFirst();
        assertThat(mount.containerPath()).isEqualTo("/run/berth/devices/big-gpus/gpu-0.json");
        assertThat(mount.options()).contains("ro");
        var file = json(Files.readString(Path.of(mount.hostPath())));
        assertThat(file.objectOrEmpty("attributes").text("productName"))
                .isEqualTo("NVIDIA H100 80GB HBM3");
        assertThat(file.objectOrEmpty("parameters").text("strategy")).isEqualTo("TimeSlicing");
        assertThat(caretaker.unprepare(POD)).isEmpty();
        assertThat(directory.resolve("c")).isEmptyDirectory();
        assertThat(data("gpu.nvidia.com").resolve("devices")).isEmptyDirectory();
    }

    @Test
    void preparingFailsOnCommandUntilItDoesNot() throws Exception {
        claim("gpu-0", "gpu-1");
        impose("faults: [{device: gpu.nvidia.com/n1/gpu-1, is: failing, message: no power}]");
        assertThat(caretaker.prepare(pod()).orElseThrow())
                .endsWith("device gpu.nvidia.com/n1/gpu-1: no power");
        drivers.applyFaults(FaultSet.NONE);
        assertThat(caretaker.prepare(pod())).isEmpty();
    }

    @Test
    void preparingTakesAsLongAsCommanded() throws Exception {
        claim("gpu-0");
        impose("faults: [{device: gpu.nvidia.com/n1/gpu-0, is: slow, seconds: 1}]");
        var begin = System.nanoTime();
        assertThat(caretaker.prepare(pod())).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void whatIsGoneIsNotListedAndCannotBePrepared() throws Exception {
        claim("gpu-0");
        impose("faults: [{device: gpu.nvidia.com/n1/gpu-0, is: gone}]");
        Eventually.holds("it is gone", () -> gpus().size() == 7);
        assertThat(caretaker.prepare(pod()).orElseThrow())
                .endsWith("device gpu.nvidia.com/n1/gpu-0 does not exist");
        drivers.applyFaults(FaultSet.NONE);
        Eventually.holds("it is back", () -> gpus().size() == 8);
    }

    @Test
    void whatIsUnhealthyIsTaintedAndReported() throws Exception {
        impose("faults: [{device: gpu.nvidia.com/n1/gpu-0, is: unhealthy, message: XID 79}]");
        Eventually.holds("it is tainted", () -> !gpus().getFirst().items("taints").isEmpty());
        assertThat(gpus().getFirst().objects("taints").getFirst().text("key"))
                .isEqualTo("gpu.nvidia.com/unhealthy");
        try (var channel = new SocketChannel(data("gpu.nvidia.com").resolve("dra.sock"))) {
            var told =
                    DRAResourceHealthGrpc.newBlockingStub(channel.channel())
                            .nodeWatchResources(NodeWatchResourcesRequest.getDefaultInstance())
                            .next();
            assertThat(told.getDevicesList()).hasSize(8);
            var sick =
                    told.getDevicesList().stream()
                            .filter(one -> one.getHealth() == HealthStatus.UNHEALTHY)
                            .toList();
            assertThat(sick).hasSize(1);
            assertThat(sick.getFirst().getMessage()).isEqualTo("XID 79");
        }
    }

    private void impose(String faults) {
        drivers.applyFaults(FaultReader.read(faults));
    }

    /// A claim with devices, reserved for the pod.
    private void claim(String... devices) {
        var results =
                String.join(
                        ",",
                        List.of(devices).stream()
                                .map(device ->
                                        ("{request: big-gpus, driver: gpu.nvidia.com, pool: n1,"
                                                        + " device: %s}")
                                                .formatted(device))
                                .toList());
        var claim =
                send(
                        Request.Create.of(
                                CLAIMS,
                                "default",
                                tree(
                                        """
                                        metadata: {name: c}
                                        spec:
                                          devices:
                                            requests:
                                            - name: big-gpus
                                              exactly: {deviceClassName: any, count: %d}
                                        """
                                                .formatted(devices.length))));
        var status =
                tree(
                        """
                        allocation:
                          devices:
                            results: [%s]
                            config:
                            - source: FromClaim
                              opaque:
                                driver: gpu.nvidia.com
                                parameters: {strategy: TimeSlicing}
                        reservedFor: [{resource: pods, name: pod, uid: %s}]
                        """
                                .formatted(results, POD.value()));
        send(new Request.Update(CLAIMS, "default", "c", "status", claim.with("status", status)));
    }

    private static Pod pod() {
        var tree =
                tree(
                        """
                        apiVersion: v1
                        kind: Pod
                        metadata: {name: pod, namespace: default, uid: %s}
                        spec:
                          nodeName: n1
                          containers: [{name: c, image: i, resources: {claims: [{name: gpus}]}}]
                          resourceClaims: [{name: gpus, resourceClaimName: c}]
                        """
                                .formatted(POD.value()));
        return new Codec()
                .readTree(Kinds.POD, tree, UnknownFieldPolicy.LENIENT)
                .value()
                .orElseThrow();
    }

    private ContainerEdits edits() throws IOException {
        var ids = caretaker.devices(pod(), pod().spec().containers().getFirst());
        return switch (CdiRegistry.scan(List.of(directory.resolve("c"))).resolve(ids)) {
            case CdiRegistry.Resolution.Resolved(var edits) -> edits;
            case CdiRegistry.Resolution.Unresolved(var missing) ->
                    throw new AssertionError(missing);
        };
    }

    private List<JsonObject> gpus() {
        return send(new Request.Get(SLICES, "", "")).objects("items").stream()
                .map(slice -> slice.objectOrEmpty("spec"))
                .filter(spec -> spec.text("driver").equals("gpu.nvidia.com"))
                .findFirst()
                .orElseThrow()
                .objects("devices");
    }

    private JsonObject send(Request request) {
        return switch (cluster.send(request)) {
            case RequestResult.Done(var object) -> object;
            case RequestResult other -> throw new AssertionError(request + ": " + other);
        };
    }

    private static JsonObject tree(String yaml) {
        return object(YamlReader.read(yaml));
    }

    private static JsonObject json(String text) {
        return object(JsonReader.read(text));
    }

    private static JsonObject object(ParseResult reading) {
        return reading instanceof ParseResult.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }
}
