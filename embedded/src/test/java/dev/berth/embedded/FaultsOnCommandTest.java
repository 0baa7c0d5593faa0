package dev.berth.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.control.schedule.SchedulerOptions;
import dev.berth.drivers.sim.FaultFile;
import dev.berth.drivers.sim.FleetOptions;
import dev.berth.drivers.sim.FleetPlan;
import dev.berth.drivers.sim.HardwareProfiles;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.server.ServerSettings;
import dev.berth.server.StoreChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Faults of simulated hardware by a file in the data directory.
class FaultsOnCommandTest {

    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);
    private static final ResourcePath SLICES = ResourcePath.of(Kinds.RESOURCE_SLICE);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @TempDir private Path directory = Path.of("");
    private EmbeddedBerth whole;
    private Cluster cluster;

    @BeforeEach
    void start() {
        whole =
                EmbeddedBerth.start(
                        ServerSettings.in(directory)
                                .withAddress("127.0.0.1", 0)
                                .withStore(new StoreChoice.Memory()),
                        SchedulerOptions.defaults().withDefaultScheduler(),
                        _ -> FleetPlan.parse("t4x2=1", HardwareProfiles.builtIn()),
                        FleetOptions.defaults());
        cluster = whole.cluster("test");
        until(() -> gpus().size() == 2);
    }

    @AfterEach
    void stop() {
        whole.close();
    }

    @Test
    void devicesSickenVanishAndRecover() throws IOException {
        say(
                """
                faults:
                - {device: gpu.nvidia.com/t4x2-0/gpu-0, is: gone}
                - {device: gpu.nvidia.com/t4x2-0/gpu-1, is: unhealthy}
                """);
        until(() -> gpus().size() == 1 && !gpus().getFirst().items("taints").isEmpty());
        say("faults: []");
        until(() -> gpus().size() == 2 && gpus().getLast().items("taints").isEmpty());
    }

    @Test
    void podsWaitForDevicesThatCannotBePrepared() throws IOException {
        // The taint only shows that the file was read.
        say(
                """
                faults:
                - {device: gpu.nvidia.com/t4x2-0/gpu-1, is: failing}
                - {device: gpu.nvidia.com/t4x2-0/gpu-1, is: unhealthy, taint: {effect: None}}
                """);
        until(() -> !gpus().getLast().items("taints").isEmpty());
        create("first", "limits: {nvidia.com/gpu: 1}");
        until(() -> phase("first").equals("Running"));
        create("second", "limits: {nvidia.com/gpu: 1}");
        until(() -> pod("second").objectOrEmpty("spec").has("nodeName"));
        create("third", "");
        until(() -> phase("third").equals("Running"));
        assertThat(phase("second")).isEqualTo("Pending");
        say("faults: [{device: gpu.nvidia.com/t4x2-0/gpu-1, is: slow, seconds: 1}]");
        until(() -> phase("second").equals("Running"));
    }

    private void say(String faults) throws IOException {
        Files.writeString(directory.resolve(FaultFile.NAME), faults);
    }

    private void create(String name, String resources) {
        var pod =
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec: {containers: [{name: c, image: i, resources: {%s}}]}
                """
                        .formatted(name, resources);
        var made =
                YamlReader.read(pod) instanceof ParseResult.Documents(var documents)
                                && documents.getFirst().root() instanceof JsonObject object
                        ? object
                        : JsonObject.EMPTY;
        assertThat(cluster.send(Request.Create.of(PODS, "default", made)))
                .isInstanceOf(RequestResult.Done.class);
    }

    private JsonObject pod(String name) {
        return get(PODS, "default", name);
    }

    private String phase(String name) {
        return pod(name).objectOrEmpty("status").text("phase");
    }

    private List<JsonObject> gpus() {
        return get(SLICES, "", "").objects("items").stream()
                .map(slice -> slice.objectOrEmpty("spec"))
                .flatMap(spec -> spec.objects("devices").stream())
                .toList();
    }

    private JsonObject get(ResourcePath address, String namespace, String name) {
        return cluster.send(new Request.Get(address, namespace, name))
                        instanceof RequestResult.Done(var object)
                ? object
                : JsonObject.EMPTY;
    }

    private static void until(BooleanSupplier isSo) {
        var end = System.nanoTime() + TIMEOUT.toNanos();
        while (!isSo.getAsBoolean()) {
            assertThat(System.nanoTime()).as("it took too long").isLessThan(end);
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
