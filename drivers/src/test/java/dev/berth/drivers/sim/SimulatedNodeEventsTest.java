package dev.berth.drivers.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.inprocess.EmbeddedCluster;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.YamlReader;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.StoreChoice;
import dev.berth.server.access.User;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Events that simulated nodes record as their kubelets.
class SimulatedNodeEventsTest {

    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @TempDir Path directory = Path.of("");
    private ApiServer server;
    private EmbeddedCluster cluster;
    private SimulatedFleet fleet;
    private Instant now = Instant.now().plusSeconds(5);

    @BeforeEach
    void start() {
        server =
                ApiServer.start(
                        ServerSettings.in(directory)
                                .withAddress("127.0.0.1", 0)
                                .withStore(new StoreChoice.Memory()));
        cluster = new EmbeddedCluster(server, User.of("test", User.MASTERS), "test");
        var profiles = HardwareProfiles.builtIn();
        fleet =
                new SimulatedFleet(
                        cluster,
                        FleetPlan.parse("camera=1", profiles),
                        profiles,
                        FleetOptions.defaults());
        fleet.start();
    }

    @AfterEach
    void stop() {
        fleet.close();
        cluster.close();
        server.close();
    }

    private void until(String what, BooleanSupplier condition) {
        var end = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.getAsBoolean()) {
            now = now.plusMillis(20);
            if (!fleet.step(now)) {
                sleep();
            }
            if (System.nanoTime() > end) {
                throw new AssertionError("timed out: " + what + " " + events());
            }
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(2);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> events() {
        return list(ResourcePath.EVENTS).stream()
                .map(event ->
                        "%s %s %s@%s %s: %s"
                                .formatted(
                                        event.text("type"),
                                        event.text("reason"),
                                        event.objectOrEmpty("source").text("component"),
                                        event.objectOrEmpty("source").text("host"),
                                        event.objectOrEmpty("involvedObject").text("fieldPath"),
                                        event.text("message")))
                .toList();
    }

    private List<JsonObject> list(ResourcePath address) {
        return cluster.send(new Request.Get(address, "default", ""))
                        instanceof RequestResult.Done(var found)
                ? found.objects("items")
                : List.of();
    }

    @Test
    void podIsPulledCreatedStartedAndKilled() {
        var pod =
                tree(
                        """
                        apiVersion: v1
                        kind: Pod
                        metadata: {name: p}
                        spec:
                          nodeName: camera-0
                          initContainers: [{name: setup, image: busybox}]
                          containers: [{name: main, image: nginx}]
                        """);
        assertThat(cluster.send(Request.Create.of(PODS, "default", pod)).isDone()).isTrue();
        until("started", () -> events().stream().filter(e -> e.contains(" Started ")).count() == 2);

        assertThat(events())
                .containsExactlyInAnyOrder(
                        "Normal Pulled kubelet@camera-0 spec.initContainers{setup}: Container image"
                                + " \"busybox\" already present on machine and can be accessed by"
                                + " the pod",
                        "Normal Created kubelet@camera-0 spec.initContainers{setup}: Container"
                                + " created",
                        "Normal Started kubelet@camera-0 spec.initContainers{setup}: Container"
                                + " started",
                        "Normal Pulled kubelet@camera-0 spec.containers{main}: Container image"
                                + " \"nginx\" already present on machine and can be accessed by"
                                + " the pod",
                        "Normal Created kubelet@camera-0 spec.containers{main}: Container created",
                        "Normal Started kubelet@camera-0 spec.containers{main}: Container started");

        var deleted =
                cluster.send(
                        new Request.Delete(
                                PODS, "default", "p", Optional.empty(), OptionalLong.empty()));
        assertThat(deleted.isDone()).isTrue();
        until(
                "killed",
                () ->
                        events().contains(
                                        "Normal Killing kubelet@camera-0 spec.containers{main}:"
                                                + " Stopping container main"));
    }

    private static JsonObject tree(String yaml) {
        return YamlReader.read(yaml).object().orElseThrow();
    }
}
