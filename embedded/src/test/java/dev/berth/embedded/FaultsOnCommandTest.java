package dev.berth.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.drivers.sim.FaultFile;
import dev.berth.harness.Eventually;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Faults of simulated hardware by a file in the data directory.
class FaultsOnCommandTest {

    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);
    private static final ResourcePath SLICES = ResourcePath.of(Kinds.RESOURCE_SLICE);

    @TempDir private Path directory = Path.of("");
    private EmbeddedBerth whole;
    private Cluster cluster;

    @BeforeEach
    void start() {
        whole = EmbeddedBerth.start(EmbeddedOptions.inMemory(directory).withNodes("t4x2=1"));
        cluster = whole.cluster("test");
        Eventually.holds(() -> gpus().size() == 2);
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
        Eventually.holds(() -> gpus().size() == 1 && !gpus().getFirst().items("taints").isEmpty());
        say("faults: []");
        Eventually.holds(() -> gpus().size() == 2 && gpus().getLast().items("taints").isEmpty());
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
        Eventually.holds(() -> !gpus().getLast().items("taints").isEmpty());
        create("first", "limits: {nvidia.com/gpu: 1}");
        Eventually.holds(() -> phase("first").equals("Running"));
        create("second", "limits: {nvidia.com/gpu: 1}");
        Eventually.holds(() -> pod("second").objectOrEmpty("spec").has("nodeName"));
        create("third", "");
        Eventually.holds(() -> phase("third").equals("Running"));
        assertThat(phase("second")).isEqualTo("Pending");
        say("faults: [{device: gpu.nvidia.com/t4x2-0/gpu-1, is: slow, seconds: 1}]");
        Eventually.holds(() -> phase("second").equals("Running"));
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
        var made = YamlReader.read(pod).object().orElseThrow();
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
}
