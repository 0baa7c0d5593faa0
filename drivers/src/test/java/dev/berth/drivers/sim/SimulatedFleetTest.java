package dev.berth.drivers.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.harness.Eventually;
import dev.berth.inprocess.EmbeddedCluster;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.TaintEffect;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.StoreChoice;
import dev.berth.server.access.User;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Simulated nodes on the embedded server, stepped on virtual time.
class SimulatedFleetTest {

    private static final ResourcePath NODES = ResourcePath.of(Kinds.NODE);
    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);
    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);
    private static final ResourcePath SLICES = ResourcePath.of(Kinds.RESOURCE_SLICE);
    private static final Duration ATTACHMENT = Duration.ofSeconds(30);

    @TempDir private Path directory;
    private ApiServer server;
    private CountingCluster cluster;
    private SimulatedFleet fleet;
    private Instant now;

    @BeforeEach
    void start() {
        server =
                ApiServer.start(
                        ServerSettings.in(directory)
                                .withAddress("127.0.0.1", 0)
                                .withStore(new StoreChoice.Memory()));
        cluster =
                new CountingCluster(
                        new EmbeddedCluster(server, User.of("test", User.MASTERS), "test"));
        now = Instant.now().plusSeconds(5);
        fleet = fleet("h100x8=1,a100-mig=1,camera=1,composable=1");
    }

    private SimulatedFleet fleet(String nodes) {
        var plan = FleetPlan.parse(nodes, HardwareProfiles.builtIn());
        var options = FleetOptions.defaults().withAttachDelay(ATTACHMENT);
        var made = new SimulatedFleet(cluster, plan, HardwareProfiles.builtIn(), options);
        made.start();
        return made;
    }

    @AfterEach
    void stop() {
        fleet.close();
        cluster.close();
        server.close();
    }

    @Test
    void nodesBecomeReadyAndBeat() {
        until(() -> isReady("h100x8-0") && isReady("a100-mig-0") && isReady("camera-0"));
        settle();
        var lease = get(ResourcePath.LEASES, "kube-node-lease", "h100x8-0").orElseThrow();
        assertThat(lease.objectOrEmpty("spec").text("holderIdentity")).isEqualTo("h100x8-0");
        var node = get(NODES, "", "h100x8-0").orElseThrow();
        assertThat(node.objectOrEmpty("status").objectOrEmpty("allocatable").text("cpu"))
                .isEqualTo("192");
        now = now.plusSeconds(11);
        until(() -> renewTime("h100x8-0").compareTo(renewTime(lease)) > 0);
    }

    @Test
    void driversPublishSlices() {
        until(() -> slices().size() == 4 + 3 + 1 + 1);
        assertThat(slices())
                .allMatch(slice -> generation(slice) == 1)
                .anyMatch(slice -> slice.objectOrEmpty("spec").has("nodeSelector"));
    }

    @Test
    void restartedFleetWritesNothing() {
        until(() -> slices().size() == 9 && isReady("composable-0"));
        settle();
        var versions = versions(slices());
        fleet.close();
        fleet = fleet("h100x8=1,a100-mig=1,camera=1,composable=1");
        until(fleet::hasSynced);
        settle();
        assertThat(versions(slices())).isEqualTo(versions);
    }

    @Test
    void nodesThatAreNotWantedAnyMoreGo() {
        until(() -> isReady("a100-mig-0"));
        fleet.close();
        fleet = fleet("h100x8=1");
        until(() -> get(NODES, "", "a100-mig-0").isEmpty());
        assertThat(FleetPlan.present(cluster, HardwareProfiles.builtIn()).nodes()).hasSize(1);
    }

    @Test
    void aPodRunsAfterOneWrite() {
        until(() -> isReady("h100x8-0"));
        create(PODS, pod("web", "restartPolicy: Always, containers: [{name: c, image: nginx}]"));
        cluster.writes().set(0);
        until(() -> phase("web").equals("Running"));
        settle();
        assertThat(cluster.writes()).hasValue(1);
        var status = get(PODS, "default", "web").orElseThrow().objectOrEmpty("status");
        assertThat(status.text("podIP")).startsWith("10.");
        assertThat(status.objects("containerStatuses").getFirst().flag("ready")).hasValue(true);
        assertThat(status.objects("conditions"))
                .extracting(condition -> condition.text("type"))
                .contains("Ready", "Initialized", "ContainersReady");
    }

    @Test
    void aPodThatSleepsSucceedsWhenItsTimeIsOver() {
        until(() -> isReady("h100x8-0"));
        create(
                PODS,
                pod(
                        "nap",
                        "restartPolicy: Never, containers: "
                                + "[{name: c, image: busybox, command: [sleep, '60']}]"));
        until(() -> phase("nap").equals("Running"));
        now = now.plusSeconds(50);
        settle();
        assertThat(phase("nap")).isEqualTo("Running");
        now = now.plusSeconds(11);
        until(() -> phase("nap").equals("Succeeded"));
    }

    @Test
    void aCommandThatFailsFailsThePod() {
        until(() -> isReady("h100x8-0"));
        create(
                PODS,
                pod(
                        "bad",
                        "restartPolicy: Never, containers: "
                                + "[{name: c, image: busybox, command: [sh, -c, exit 3]}]"));
        until(() -> phase("bad").equals("Failed"));
    }

    @Test
    void aPodThatIsDeletedGoes() {
        until(() -> isReady("h100x8-0"));
        create(PODS, pod("web", "containers: [{name: c, image: nginx}]"));
        until(() -> phase("web").equals("Running"));
        cluster.send(
                new Request.Delete(PODS, "default", "web", Optional.empty(), OptionalLong.empty()));
        until(() -> get(PODS, "default", "web").isEmpty());
    }

    @Test
    void aPodWaitsForItsClaim() {
        until(() -> isReady("h100x8-0"));
        create(CLAIMS, claim("gpu"));
        create(
                PODS,
                pod(
                        "train",
                        "containers: [{name: c, image: x}], "
                                + "resourceClaims: [{name: g, resourceClaimName: gpu}]"));
        settle();
        assertThat(phase("train")).isEqualTo("Pending");
        allocate("gpu", "train", "pool: h100x8-0, device: gpu-0");
        until(() -> {
            now = now.plusMillis(100);
            return phase("train").equals("Running");
        });
    }

    @Test
    void aDeviceOfTheFabricIsAttachedAfterAWhile() {
        until(() -> isReady("composable-0"));
        create(PODS, pod("train", "containers: [{name: c, image: x}]"));
        create(CLAIMS, claim("gpu"));
        allocate(
                "gpu",
                "train",
                "pool: nvidia-a100-fabric1, device: nvidia-a100-0, "
                        + "bindingConditions: [FabricDeviceReady], "
                        + "bindingFailureConditions: [FabricDeviceFailed]");
        settle();
        assertThat(attached("gpu")).isEmpty();
        now = now.plus(ATTACHMENT);
        until(() -> attached("gpu").equals(List.of("FabricDeviceReady")));
    }

    @Test
    void faultsShowInTheSlices() {
        until(() -> slices().size() == 9);
        var device = new DeviceId("gpu.nvidia.com", "h100x8-0", "gpu-3");
        fleet.taint(
                device,
                new DeviceTaint(
                        "gpu.nvidia.com/gpu-lost",
                        "",
                        TaintEffect.Known.NO_EXECUTE,
                        Optional.empty()));
        until(() -> gpus().stream().anyMatch(gpu -> !gpu.items("taints").isEmpty()));
        settle();
        assertThat(generation(gpuSlice())).isEqualTo(2);
        fleet.remove(device);
        until(() -> gpus().size() == 7);
        fleet.clearFaults(device);
        until(() -> gpus().size() == 8);
        assertThat(generation(gpuSlice())).isEqualTo(4);
    }

    @Test
    void aSilentNodeDoesNothing() {
        until(() -> isReady("h100x8-0") && slices().size() == 9);
        fleet.stopHeartbeats("h100x8-0");
        create(PODS, pod("web", "containers: [{name: c, image: nginx}]"));
        settle();
        assertThat(phase("web")).isEqualTo("Pending");
        fleet.resumeHeartbeats("h100x8-0");
        until(() -> phase("web").equals("Running"));
    }

    /// Steps until a condition holds.
    private void until(BooleanSupplier isSo) {
        Eventually.holds(() -> {
            while (!isSo.getAsBoolean()) {
                if (!fleet.step(now)) {
                    return false;
                }
            }
            return true;
        });
    }

    /// Steps until no task has been due for a while.
    private void settle() {
        var idle = 0;
        while (idle < 10) {
            idle = fleet.step(now) ? 0 : idle + 1;
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean isReady(String node) {
        return get(NODES, "", node).stream()
                .flatMap(one -> one.objectOrEmpty("status").objects("conditions").stream())
                .anyMatch(condition ->
                        condition.text("type").equals("Ready")
                                && condition.text("status").equals("True"));
    }

    private String renewTime(String node) {
        return renewTime(get(ResourcePath.LEASES, "kube-node-lease", node).orElseThrow());
    }

    private static String renewTime(JsonObject lease) {
        return lease.objectOrEmpty("spec").text("renewTime");
    }

    private String phase(String pod) {
        return get(PODS, "default", pod).orElseThrow().objectOrEmpty("status").text("phase");
    }

    private List<JsonObject> slices() {
        return get(SLICES, "", "").orElseThrow().objects("items");
    }

    private static long generation(JsonObject slice) {
        return slice.objectOrEmpty("spec").objectOrEmpty("pool").number("generation").orElse(0);
    }

    private static List<String> versions(List<JsonObject> slices) {
        return slices.stream()
                .map(slice -> slice.objectOrEmpty("metadata").text("resourceVersion"))
                .toList();
    }

    private JsonObject gpuSlice() {
        return slices().stream()
                .filter(slice -> slice.objectOrEmpty("spec").text("nodeName").equals("h100x8-0"))
                .filter(slice ->
                        slice.objectOrEmpty("spec").text("driver").equals("gpu.nvidia.com"))
                .findFirst()
                .orElseThrow();
    }

    private List<JsonObject> gpus() {
        return gpuSlice().objectOrEmpty("spec").objects("devices");
    }

    private List<String> attached(String claim) {
        return get(CLAIMS, "default", claim).stream()
                .flatMap(one -> one.objectOrEmpty("status").objects("devices").stream())
                .flatMap(device -> device.objects("conditions").stream())
                .map(condition -> condition.text("type"))
                .toList();
    }

    private Optional<JsonObject> get(ResourcePath address, String namespace, String name) {
        return cluster.send(new Request.Get(address, namespace, name))
                        instanceof RequestResult.Done done
                ? Optional.of(done.object())
                : Optional.empty();
    }

    private void create(ResourcePath address, JsonObject object) {
        assertThat(cluster.send(Request.Create.of(address, "default", object)))
                .isInstanceOf(RequestResult.Done.class);
    }

    private void allocate(String claim, String pod, String device) {
        var uid = get(PODS, "default", pod).orElseThrow().objectOrEmpty("metadata").text("uid");
        var text =
                """
                status:
                  allocation:
                    allocationTimestamp: %s
                    devices:
                      results: [{request: r, driver: gpu.nvidia.com, %s}]
                  reservedFor: [{resource: pods, name: %s, uid: %s}]
                """
                        .formatted(now.truncatedTo(ChronoUnit.SECONDS), device, pod, uid);
        var patch =
                new Request.Patch(
                        CLAIMS, "default", claim, "status", Request.PatchType.MERGE, yaml(text));
        assertThat(cluster.send(patch)).isInstanceOf(RequestResult.Done.class);
    }

    private static JsonObject claim(String name) {
        return yaml(
                """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: %s}
                spec:
                  devices:
                    requests: [{name: r, exactly: {deviceClassName: gpu.nvidia.com}}]
                """
                        .formatted(name));
    }

    private static JsonObject pod(String name, String spec) {
        return yaml(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec: {nodeName: h100x8-0, %s}
                """
                        .formatted(name, spec));
    }

    private static JsonObject yaml(String text) {
        return YamlReader.read(text) instanceof ParseResult.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }
}
