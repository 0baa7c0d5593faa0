package dev.berth.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.metrics.MetricsRegistry;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import dev.berth.node.agent.DriverHealthReport.Device;
import dev.berth.node.agent.DriverHealthReport.Update;
import dev.berth.node.agent.NodeClaimState.DriverState;
import dev.berth.node.agent.NodeClaimState.PreparedDevice;
import dev.berth.node.driver.DriverRig;
import dev.berth.node.socket.SocketChannel;
import dev.berth.node.socket.SocketServer;
import dev.berth.wire.podresources.GetPodResourcesRequest;
import dev.berth.wire.podresources.ListPodResourcesRequest;
import dev.berth.wire.podresources.PodResourcesListerGrpc;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Health, PodResources, metrics and stale slices of devices.
class DeviceReportingTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Device GPU = new Device("pool", "gpu-0");

    private static final JsonObject POD =
            DriverRig.tree(
                    """
                    metadata: {name: p, namespace: ns, uid: u}
                    spec:
                      resourceClaims: [{name: gpus, resourceClaimName: c}]
                      containers:
                      - {name: a, resources: {claims: [{name: gpus, request: one}]}}
                      - {name: b}
                    """);

    private static final NodeClaimStates HELD =
            NodeClaimStates.NONE.with(
                    new NodeClaimState(
                            new ObjectRef("ns", "c"),
                            new Uid("cu"),
                            Set.of(new Uid("u")),
                            Map.of(
                                    "gpu.example.com",
                                    new DriverState(
                                            List.of(device("gpu-0", "one"), device("gpu-1", "two")),
                                            List.of())),
                            NodeClaimState.Phase.PREPARED));

    private static PreparedDevice device(String name, String request) {
        return new PreparedDevice(
                "pool", name, Optional.empty(), List.of(request), List.of("x.com/gpu=" + name));
    }

    @Test
    void slicesOfADriverAreDeletedAfterTheGracePeriod() {
        var away = new HashMap<String, Instant>();
        assertThat(expired(away, Set.of("b"), 0)).isEmpty();
        assertThat(expired(away, Set.of("b"), 29)).isEmpty();
        assertThat(expired(away, Set.of("b"), 30)).containsExactly("a");
    }

    @Test
    void aDriverThatReconnectsInTimeKeepsItsSlices() {
        var away = new HashMap<String, Instant>();
        assertThat(expired(away, Set.of("b"), 0)).isEmpty();
        assertThat(expired(away, Set.of("a", "b"), 20)).isEmpty();
        assertThat(expired(away, Set.of("b"), 40)).isEmpty();
    }

    private static Set<String> expired(
            Map<String, Instant> away, Set<String> connected, int seconds) {
        return StaleSliceCleaner.expired(
                away, Set.of("a", "b"), connected, START.plusSeconds(seconds));
    }

    @Test
    void healthBecomesUnknownWhenTheReportExpires() {
        var report = DriverHealthReport.EMPTY.after(List.of(update("Unhealthy", 10)), START);
        assertThat(report.of(GPU, START).health()).isEqualTo("Unhealthy");
        assertThat(report.of(GPU, START.plusSeconds(10)).health()).isEqualTo("Unknown");
        var later = report.after(List.of(), START.plusSeconds(10));
        assertThat(later.differences(report)).containsExactly(GPU);
        assertThat(report.after(List.of(update("Unhealthy", 0)), START).differences(report))
                .isEmpty();
    }

    private static Update update(String health, int seconds) {
        return new Update(GPU, health, "hot", Duration.ofSeconds(seconds));
    }

    @Test
    void healthIsShownInTheStatusOfContainersWithTheDevice() {
        var pod = new Codec().readTree(Kinds.POD, POD, UnknownFieldPolicy.LENIENT).orThrow();
        var health = DriverHealthReport.EMPTY.after(List.of(update("Unhealthy", 10)), START);
        var statuses =
                AllocatedResourcesStatus.statuses(
                        HELD, pod, (_, pool, device) -> health.of(new Device(pool, device), START));
        assertThat(statuses)
                .containsExactly(
                        Map.entry(
                                "a",
                                List.of(
                                        DriverRig.tree(
                                                """
                                                name: claim:gpus/one
                                                resources:
                                                - resourceID: x.com/gpu=gpu-0
                                                  health: Unhealthy
                                                  message: hot
                                                """))));
    }

    @Test
    void podResourcesListsTheDevicesOfPods(@TempDir Path directory) throws Exception {
        var socket = directory.resolve("s");
        var service = new PodResourcesService(() -> List.of(POD), () -> HELD);
        try (var _ = SocketServer.start(socket, List.of(service));
                var channel = new SocketChannel(socket)) {
            var stub = PodResourcesListerGrpc.newBlockingStub(channel.channel());
            var all = stub.list(ListPodResourcesRequest.getDefaultInstance());
            var one =
                    stub.get(
                            GetPodResourcesRequest.newBuilder()
                                    .setPodName("p")
                                    .setPodNamespace("ns")
                                    .build());
            assertThat(all.getPodResourcesList()).containsExactly(one.getPodResources());
            var containers = one.getPodResources().getContainersList();
            assertThat(containers).extracting("name").containsExactly("a", "b");
            var devices = containers.getFirst().getDynamicResources(0).getClaimResourcesList();
            assertThat(devices).hasSize(2);
            // Each device has its own identifiers only.
            assertThat(devices).allMatch(device -> device.getCdiDevicesCount() == 1);
        }
    }

    @Test
    void operationsAreCounted() {
        var registry = MetricsRegistry.measuring();
        var metrics = new DraMetrics(registry);
        metrics.observe(() -> HELD);
        metrics.operation("PrepareResources", true, System.nanoTime());
        metrics.call(
                "gpu.example.com",
                "NodePrepareResources",
                Status.Code.DEADLINE_EXCEEDED,
                System.nanoTime());
        assertThat(new String(registry.expose("").bytes(), StandardCharsets.UTF_8))
                .contains(
                        "dra_operations_duration_seconds_count"
                                + "{is_error=\"true\",operation_name=\"PrepareResources\"} 1",
                        "method_name=\"NodePrepareResources\",le=\"0.1\"} 1",
                        "grpc_status_code=\"DeadlineExceeded\"",
                        "method_name=\"NodePrepareResources\",le=\"40.0\"} 1",
                        "dra_resource_claims_in_use{driver_name=\"<any>\"} 1.0");
    }
}
