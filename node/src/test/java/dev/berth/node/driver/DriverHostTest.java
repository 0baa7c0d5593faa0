package dev.berth.node.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Request;
import dev.berth.model.api.claim.NetworkDeviceStatus;
import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.node.cdi.CdiRegistry;
import dev.berth.node.cdi.ContainerEdits;
import dev.berth.node.driver.CountingDriver.Sharing;
import dev.berth.wire.dra.v1.Device;
import dev.berth.wire.dra.v1.NodePrepareResourceResponse;
import dev.berth.wire.dra.v1beta1.Claim;
import dev.berth.wire.dra.v1beta1.DRAPluginGrpc;
import dev.berth.wire.dra.v1beta1.NodePrepareResourcesRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverHostTest {

    @TempDir private static Path directory = Path.of("");

    private DriverRig rig;
    private final CountingDriver driver = new CountingDriver();
    private final List<DriverProblem> problems = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        rig = new DriverRig(Files.createTempDirectory(directory, "t"));
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private DriverHost host() throws DriverException {
        var host = DriverHost.start(rig.options().withProblems(problems::add), rig.cluster, driver);
        rig.kubelet.scan();
        return host;
    }

    @Test
    void aClaimIsPreparedOnceAndItsDevicesCanBeUsed() throws Exception {
        var claim = rig.claim("c", "gpu-0", "gpu-1");
        try (var _ = host()) {
            var response = rig.kubelet.prepare(claim);
            assertThat(response.getError()).isEmpty();
            assertThat(response.getDevicesList())
                    .extracting(Device::getDeviceName)
                    .containsExactly("gpu-0", "gpu-1");
            assertThat(response.getDevices(1).getRequestNamesList()).containsExactly("gpu-1");
            assertThat(response.getDevices(1).getPoolName()).isEqualTo("node-1");
            assertThat(variables(response))
                    .containsExactly("GPU_gpu_0=yes", "PARTS=1", "GPU_gpu_1=yes", "PARTS=1");
            assertThat(rig.kubelet.prepare(claim)).isEqualTo(response);
            assertThat(driver.prepared).hasSize(1);
        }
    }

    @Test
    void preparedClaimsSurviveARestartOfTheDriver() throws Exception {
        var claim = rig.claim("c", "gpu-0");
        NodePrepareResourceResponse before;
        try (var _ = host()) {
            before = rig.kubelet.prepare(claim);
        }
        rig.kubelet.scan();
        try (var host = host()) {
            assertThat(host.preparedClaims())
                    .containsExactly(
                            new PreparedClaim(
                                    claim,
                                    List.of(new DeviceId(DriverRig.DRIVER, "node-1", "gpu-0"))));
            assertThat(rig.kubelet.prepare(claim)).isEqualTo(before);
            assertThat(driver.prepared).hasSize(1);
        }
    }

    @Test
    void unprepareRemovesAllStateOfAClaim() throws Exception {
        var claim = rig.claim("c", "gpu-0");
        try (var host = host()) {
            rig.kubelet.prepare(claim);
            assertThat(rig.kubelet.unprepare(claim)).isEmpty();
            assertThat(driver.unprepared).hasSize(1);
            assertThat(host.preparedClaims()).isEmpty();
            assertThat(rig.cdi()).isEmptyDirectory();
            // A retry, as after a lost response.
            assertThat(rig.kubelet.unprepare(claim)).isEmpty();
            assertThat(driver.unprepared).hasSize(1);
        }
    }

    @Test
    void aFailedPrepareIsReportedAndRetried() throws Exception {
        var claim = rig.claim("c", "gpu-0");
        try (var host = host()) {
            driver.failure = "the GPU has fallen off the bus";
            assertThat(rig.kubelet.prepare(claim).getError())
                    .isEqualTo("the GPU has fallen off the bus");
            driver.failure = "";
            assertThat(rig.kubelet.prepare(claim).getError()).isEmpty();
            driver.failure = "busy";
            assertThat(rig.kubelet.unprepare(claim)).isEqualTo("busy");
            assertThat(host.preparedClaims()).hasSize(1);
            driver.failure = "";
            assertThat(rig.kubelet.unprepare(claim)).isEmpty();
        }
    }

    @Test
    void aFailedPrepareIsUnprepared() throws Exception {
        var claim = rig.claim("c", "gpu-0");
        try (var _ = host()) {
            driver.failure = "half done";
            rig.kubelet.prepare(claim);
            driver.failure = "";
            assertThat(rig.kubelet.unprepare(claim)).isEmpty();
            assertThat(driver.unprepared).hasSize(1);
        }
    }

    @Test
    void aDeletedCdiSpecIsWrittenAgain() throws Exception {
        var claim = rig.claim("c", "gpu-0");
        try (var _ = host()) {
            var response = rig.kubelet.prepare(claim);
            try (var files = Files.list(rig.cdi())) {
                for (var file : files.toList()) {
                    Files.delete(file);
                }
            }
            assertThat(rig.kubelet.prepare(claim)).isEqualTo(response);
            assertThat(variables(response)).isNotEmpty();
        }
    }

    @Test
    void aRecordThatCannotBeReadIsNamedAndCleanedUp() throws Exception {
        var claim = rig.claim("c", "gpu-0");
        try (var _ = host()) {
            rig.kubelet.prepare(claim);
            var record =
                    rig.data(DriverRig.DRIVER)
                            .resolve("claims")
                            .resolve(claim.uid().value() + ".json");
            Files.writeString(record, "{");
            assertThat(rig.kubelet.prepare(claim).getError())
                    .startsWith("claim record " + record + " cannot be read");
            assertThat(rig.kubelet.unprepare(claim)).isEmpty();
            assertThat(driver.unprepared).hasSize(1);
            assertThat(rig.kubelet.prepare(claim).getError()).isEmpty();
        }
    }

    @Test
    void claimsThatCannotBePreparedAreRefusedAndLeaveNoState() throws Exception {
        var claim = rig.claim("c", "gpu-0");
        var other = rig.claimWith("other", "nic.example.com", "[]", "nic-0");
        rig.send(
                Request.Create.of(
                        DriverRig.CLAIMS,
                        "default",
                        DriverRig.tree(
                                "{metadata: {name: new}, spec: {devices: {requests:"
                                        + " [{name: a, exactly: {deviceClassName: any}}]}}}")));
        var fresh = rig.read(new ClaimRef("default", "new", Uid.NONE));
        var unallocated =
                new ClaimRef(
                        "default", "new", new Uid(fresh.objectOrEmpty("metadata").text("uid")));
        try (var host = host()) {
            assertThat(rig.kubelet.prepare(unallocated).getError())
                    .isEqualTo("claim default/new is not allocated");
            assertThat(rig.kubelet.prepare(other).getError())
                    .isEqualTo("claim default/other has no device of driver gpu.example.com");
            var replaced = new ClaimRef("default", "c", new Uid("older"));
            assertThat(rig.kubelet.prepare(replaced).getError())
                    .isEqualTo(
                            "claim default/c was replaced: its UID is %s, not older"
                                    .formatted(claim.uid()));
            assertThat(rig.kubelet.prepare(new ClaimRef("default", "no", new Uid("x"))).getError())
                    .contains("claim default/no: ")
                    .contains("not found");
            assertThat(
                            rig.kubelet
                                    .prepare(new ClaimRef("default", "c", new Uid("../x")))
                                    .getError())
                    .isEqualTo("\"../x\" is not a UID");
            assertThat(driver.prepared).isEmpty();
            assertThat(host.preparedClaims()).isEmpty();
        }
    }

    @Test
    void parametersOfTheClaimOverrideThoseOfTheClass() throws Exception {
        var claim =
                rig.claimWith(
                        "c",
                        DriverRig.DRIVER,
                        "[%s, %s, %s]"
                                .formatted(
                                        config("FromClass", "[]", DriverRig.DRIVER, "parts: 2"),
                                        config(
                                                "FromClaim",
                                                "[gpu-1]",
                                                DriverRig.DRIVER,
                                                "parts: 4"),
                                        config("FromClaim", "[]", "nic.example.com", "mtu: 9000")),
                        "gpu-0",
                        "gpu-1");
        try (var _ = host()) {
            assertThat(rig.kubelet.prepare(claim).getError()).isEmpty();
            assertThat(driver.prepared.getFirst().devices())
                    .extracting(AssignedDevice::parameters)
                    .containsExactly(new Sharing(2), new Sharing(4));
        }
    }

    @Test
    void invalidParametersAreReported() throws Exception {
        var claim =
                rig.claimWith(
                        "c",
                        DriverRig.DRIVER,
                        "["
                                + config(
                                        "FromClaim",
                                        "[]",
                                        DriverRig.DRIVER,
                                        "parts: 9, Parts: 1, strategy: {}")
                                + "]",
                        "gpu-0");
        try (var _ = host()) {
            assertThat(rig.kubelet.prepare(claim).getError())
                    .isEqualTo(
                            "claim default/c: parameters 0 (of the claim):"
                                    + " parts: 9 is not between 1 and 8;"
                                    + " unknown field \"Parts\"; unknown field \"strategy\"");
            assertThat(driver.prepared).isEmpty();
        }
    }

    @Test
    void kubeletsWithV1beta1AreServed() throws Exception {
        var claim = rig.claim("c", "gpu-0");
        try (var _ = host()) {
            var response =
                    DRAPluginGrpc.newBlockingStub(rig.kubelet.newest().channel())
                            .nodePrepareResources(
                                    NodePrepareResourcesRequest.newBuilder()
                                            .addClaims(
                                                    Claim.newBuilder()
                                                            .setNamespace("default")
                                                            .setName("c")
                                                            .setUid(claim.uid().value()))
                                            .build());
            assertThat(response.getClaimsOrThrow(claim.uid().value()).getDevices(0).getDeviceName())
                    .isEqualTo("gpu-0");
        }
    }

    @Test
    void deviceStatusIsWrittenToTheClaim() throws Exception {
        var claim = rig.claim("c", "gpu-0");
        var report =
                new DeviceReport(
                        List.of(
                                new Condition(
                                        "Ready", "True", 0, Optional.empty(), "Attached", "up")),
                        Optional.of(JsonObject.of("lanes", Json.of(16))),
                        Optional.of(new NetworkDeviceStatus("net1", List.of("10.0.0.1/24"), "")));
        var reportingDriver =
                new Driver<Parameters.None>() {
                    @Override
                    public Parameters<Parameters.None> parameters() {
                        return Parameters.NONE;
                    }

                    @Override
                    public PrepareResult prepare(ClaimAssignment<Parameters.None> assignment) {
                        return new PrepareResult(
                                assignment.devices().stream()
                                        .map(device ->
                                                PrepareResult.PreparedDevice.of(
                                                                device, ContainerEdits.NONE)
                                                        .withCdiIds(List.of("v.com/nic=1"))
                                                        .withReport(report))
                                        .toList());
                    }

                    @Override
                    public void unprepare(PreparedClaim prepared) {}
                };
        try (var _ =
                DriverHost.start(
                        rig.options().withProblems(problems::add), rig.cluster, reportingDriver)) {
            rig.kubelet.scan();
            var response = rig.kubelet.prepare(claim);
            assertThat(response.getDevices(0).getCdiDeviceIdsList()).containsExactly("v.com/nic=1");
        }
        assertThat(problems).isEmpty();
        var deviceStatus = rig.read(claim).objectOrEmpty("status").objects("devices").getFirst();
        assertThat(JsonWriter.compact(deviceStatus))
                .contains("\"device\":\"gpu-0\"")
                .contains("\"type\":\"Ready\"")
                .contains("\"interfaceName\":\"net1\"");
    }

    @Test
    void aDriverThatPreparesOtherDevicesFails() throws Exception {
        var claim = rig.claim("c", "gpu-0");
        var careless =
                new Driver<Parameters.None>() {
                    @Override
                    public Parameters<Parameters.None> parameters() {
                        return Parameters.NONE;
                    }

                    @Override
                    public PrepareResult prepare(ClaimAssignment<Parameters.None> assignment) {
                        return new PrepareResult(List.of());
                    }

                    @Override
                    public void unprepare(PreparedClaim prepared) {}
                };
        try (var _ = DriverHost.start(rig.options(), rig.cluster, careless)) {
            rig.kubelet.scan();
            assertThat(rig.kubelet.prepare(claim).getError())
                    .isEqualTo("the driver prepared only some of the claim's devices");
        }
    }

    private List<String> variables(NodePrepareResourceResponse response) throws IOException {
        var ids =
                response.getDevicesList().stream()
                        .flatMap(device -> device.getCdiDeviceIdsList().stream())
                        .toList();
        return switch (CdiRegistry.scan(List.of(rig.cdi())).resolve(ids)) {
            case CdiRegistry.Resolution.Resolved(var edits) -> edits.env();
            case CdiRegistry.Resolution.Unresolved(var missing) ->
                    throw new AssertionError(missing);
        };
    }

    private static String config(String source, String requests, String driver, String parameters) {
        return ("{source: %s, requests: %s, opaque: {driver: %s, parameters:"
                        + " {apiVersion: gpu.example.com/v1, kind: Sharing, %s}}}")
                .formatted(source, requests, driver, parameters);
    }
}
