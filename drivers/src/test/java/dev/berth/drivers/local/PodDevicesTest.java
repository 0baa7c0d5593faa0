package dev.berth.drivers.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.ProgramEnvironment;
import dev.berth.client.http.ClientOptions;
import dev.berth.client.http.HttpCluster;
import dev.berth.drivers.machine.MachineRoots;
import dev.berth.drivers.testing.Bundle;
import dev.berth.drivers.testing.Needs;
import dev.berth.model.api.slice.AttributeValue.StringValue;
import dev.berth.model.api.slice.Device;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.node.cdi.CdiRegistry;
import dev.berth.node.cdi.ContainerEdits;
import dev.berth.node.driver.DriverOptions;
import dev.berth.node.socket.SocketChannel;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.StoreChoice;
import dev.berth.wire.dra.v1.Claim;
import dev.berth.wire.dra.v1.DRAPluginGrpc;
import dev.berth.wire.dra.v1.NodePrepareResourcesRequest;
import dev.berth.wire.dra.v1.NodeUnprepareResourcesRequest;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// End-to-end test of a claim with devices of four drivers, from the gRPC calls of the kubelet to a
/// running container and back.
class PodDevicesTest {

    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);
    private static final List<String> DRIVERS = List.of("cpu", "disk", "chardev", "nic");

    private static final String CLAIM =
            """
            metadata: {name: everything}
            spec:
              devices:
                requests:
                - {name: core, exactly: {deviceClassName: cpu.berth.dev}}
                - {name: data, exactly: {deviceClassName: disk.berth.dev}}
                - {name: fuse, exactly: {deviceClassName: chardev.berth.dev}}
                - {name: net1, exactly: {deviceClassName: nic.berth.dev}}
            """;

    private static final String STATUS =
            """
            allocation:
              devices:
                results:
                - {request: core, driver: cpu.berth.dev, pool: node-1, device: CORE}
                - request: data
                  driver: disk.berth.dev
                  pool: node-1
                  device: local
                  shareID: 0b0c8d5e-0000-4000-8000-000000000001
                  consumedCapacity: {size: 64Mi}
                - request: fuse
                  driver: chardev.berth.dev
                  pool: node-1
                  device: fuse
                  shareID: 0b0c8d5e-0000-4000-8000-000000000002
                - request: net1
                  driver: nic.berth.dev
                  pool: node-1
                  device: veth
                  shareID: 0b0c8d5e-0000-4000-8000-000000000003
                  consumedCapacity: {slots: 1}
                config:
                - source: FromClaim
                  requests: [data]
                  opaque:
                    driver: disk.berth.dev
                    parameters: {apiVersion: disk.berth.dev/v1, kind: Disk, mountPath: /data}
            """;

    @TempDir private Path directory = Path.of("");
    private ApiServer server;
    private HttpCluster cluster;
    private final List<RunningDriver> running = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        Needs.containers();
        Needs.tools("losetup", "mkfs.ext4", "fallocate", "ip", "flock");
        Needs.file("/dev/loop-control");
        Needs.file("/dev/fuse");
        server =
                ApiServer.start(
                        ServerSettings.in(directory.resolve("server"))
                                .withStore(new StoreChoice.Memory())
                                .withAddress("127.0.0.1", 0));
        var around = new ProgramEnvironment(Map.of(), directory, directory, Clock.systemUTC());
        var access = ClusterAccess.find(around, Optional.of(server.kubeconfig()), Optional.empty());
        cluster = new HttpCluster(access, ClientOptions.of("test", "0"));
        send(
                Request.Create.of(
                        ResourcePath.of(Kinds.NODE), "", tree("{metadata: {name: node-1}}")));
        LocalClasses.create(cluster);
        startDrivers();
    }

    private void startDrivers() throws Exception {
        for (var name : DRIVERS) {
            var driver = LocalDrivers.find(name).orElseThrow();
            var options =
                    DriverOptions.of(driver.driver(), "node-1")
                            .withDirectories(directory.resolve("r"), data(name), cdi());
            running.add(RunningDriver.start(driver, DriverConfig.NONE, options, cluster));
        }
    }

    @AfterEach
    void stop() {
        stopDrivers();
        cluster.close();
        server.close();
    }

    private void stopDrivers() {
        running.forEach(RunningDriver::close);
        running.clear();
    }

    private Path data(String name) {
        return directory.resolve(name);
    }

    private Path cdi() {
        return directory.resolve("cdi");
    }

    @Test
    void aContainerHasTheDevicesOfItsClaim() throws Exception {
        var core = core();
        var claim = allocated(STATUS.replace("CORE", core.name()));
        var message =
                Claim.newBuilder()
                        .setNamespace("default")
                        .setName("everything")
                        .setUid(claim.objectOrEmpty("metadata").text("uid"))
                        .build();
        try (var bundle = new Bundle(directory, "berth-pod")) {
            var ids = new ArrayList<String>();
            for (var driver : DRIVERS) {
                ids.addAll(prepare(driver, message));
            }
            var ended =
                    bundle.with(resolved(ids))
                            .run(
                                    "grep Cpus_allowed_list /proc/self/status; echo word >/data/f;"
                                            + " cat /data/f; exec 3<>/dev/fuse && echo fuse;"
                                            + " ip -o addr show dev net1");
            assertThat(ended.errors()).isEmpty();
            assertThat(ended.output())
                    .contains("Cpus_allowed_list:\t" + cpus(core))
                    .contains("word\nfuse\n")
                    .contains("inet 198.18.240.2/24");
            assertThat(network()).isEqualTo("net1 [198.18.240.2/24]");
        } finally {
            // New driver processes, as after a restart.
            stopDrivers();
            startDrivers();
            for (var driver : DRIVERS) {
                assertThat(unprepare(driver, message)).isEmpty();
            }
        }
        assertThat(cdi()).isEmptyDirectory();
        assertThat(data("disk").resolve("disks")).isEmptyDirectory();
        assertThat(data("nic").resolve("notes")).isEmptyDirectory();
    }

    private Device core() throws Exception {
        var cpu = LocalDrivers.find("cpu").orElseThrow();
        var options = DriverOptions.of(cpu.driver(), "node-1");
        return RunningDriver.list(cpu, MachineRoots.here(), DriverConfig.NONE, options).getLast();
    }

    private static String cpus(Device core) {
        return core.attributes().get("cpus") instanceof StringValue(var cpus) ? cpus : "";
    }

    private String network() {
        var claim = send(new Request.Get(CLAIMS, "default", "everything"));
        return claim.objectOrEmpty("status").objects("devices").stream()
                .map(device -> device.objectOrEmpty("networkData"))
                .filter(network -> !network.isEmpty())
                .map(network -> network.text("interfaceName") + " " + network.strings("ips"))
                .findFirst()
                .orElse("");
    }

    private JsonObject allocated(String status) {
        var claim = send(Request.Create.of(CLAIMS, "default", tree(CLAIM)));
        return send(
                new Request.Update(
                        CLAIMS,
                        "default",
                        "everything",
                        "status",
                        claim.with("status", tree(status))));
    }

    private List<String> prepare(String driver, Claim claim) {
        try (var channel = new SocketChannel(data(driver).resolve("dra.sock"))) {
            var response =
                    DRAPluginGrpc.newBlockingStub(channel.channel())
                            .nodePrepareResources(
                                    NodePrepareResourcesRequest.newBuilder()
                                            .addClaims(claim)
                                            .build())
                            .getClaimsOrThrow(claim.getUid());
            assertThat(response.getError()).isEmpty();
            return response.getDevicesList().stream()
                    .flatMap(device -> device.getCdiDeviceIdsList().stream())
                    .toList();
        }
    }

    private String unprepare(String driver, Claim claim) {
        try (var channel = new SocketChannel(data(driver).resolve("dra.sock"))) {
            return DRAPluginGrpc.newBlockingStub(channel.channel())
                    .nodeUnprepareResources(
                            NodeUnprepareResourcesRequest.newBuilder().addClaims(claim).build())
                    .getClaimsOrThrow(claim.getUid())
                    .getError();
        }
    }

    private ContainerEdits resolved(List<String> ids) throws Exception {
        return switch (CdiRegistry.scan(List.of(cdi())).resolve(ids)) {
            case CdiRegistry.Resolution.Resolved(var edits) -> edits;
            case CdiRegistry.Resolution.Unresolved(var missing) ->
                    throw new AssertionError(missing);
        };
    }

    private JsonObject send(Request request) {
        return switch (cluster.send(request)) {
            case RequestResult.Done(var object) -> object;
            case RequestResult other -> throw new AssertionError(request + ": " + other);
        };
    }

    private static JsonObject tree(String yaml) {
        return YamlReader.read(yaml) instanceof ParseResult.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }
}
