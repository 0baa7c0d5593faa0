package dev.berth.app.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.control.schedule.SchedulerOptions;
import dev.berth.drivers.sim.FleetOptions;
import dev.berth.drivers.sim.FleetPlan;
import dev.berth.drivers.sim.HardwareProfiles;
import dev.berth.drivers.sim.UnknownProfileException;
import dev.berth.embedded.EmbeddedBerth;
import dev.berth.inprocess.EmbeddedCluster;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import dev.berth.server.ServerSettings;
import dev.berth.server.access.User;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SingleProcessClusterTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final HardwareProfiles PROFILES = HardwareProfiles.builtIn();

    @Test
    void restartKeepsNodesAndSlices(@TempDir Path directory) throws InterruptedException {
        var settings = ServerSettings.in(directory).withAddress("127.0.0.1", 0);
        List<String> before;
        try (var cluster =
                EmbeddedBerth.start(
                        settings,
                        SchedulerOptions.defaults(),
                        _ -> FleetPlan.parse("tpu-v5e=2,cpu=1", PROFILES),
                        FleetOptions.defaults())) {
            before = awaitUids(cluster);
        }
        try (var cluster =
                EmbeddedBerth.start(
                        settings,
                        SchedulerOptions.defaults(),
                        there -> FleetPlan.present(there, PROFILES),
                        FleetOptions.defaults())) {
            assertThat(cluster.plan().nodes()).hasSize(3);
            assertThat(awaitUids(cluster)).isEqualTo(before);
            assertThat(list(cluster, Kinds.DEVICE_CLASS)).isNotEmpty();
        }
    }

    @Test
    void theNextStartKnowsPeoplesOwnProfiles(@TempDir Path directory, @TempDir Path profiles)
            throws Exception {
        Files.writeString(
                profiles.resolve("mine.yaml"),
                """
                description: one of mine
                capacity: {cpu: 4, memory: 8Gi, pods: 10}
                pools:
                - driver: accelerator.example.com
                  devices: [{count: 2, name: "acc-${i}"}]
                """);
        List<String> before;
        try (var cluster = start(directory, Optional.of(profiles), Optional.of("mine=2,cpu=1"))) {
            before = awaitUids(cluster);
        }
        try (var cluster = start(directory, Optional.empty(), Optional.empty())) {
            assertThat(cluster.plan().nodes()).hasSize(3);
            assertThat(awaitUids(cluster)).isEqualTo(before);
        }

        Files.delete(directory.resolve(FleetPlanner.KEPT).resolve("mine.yaml"));

        assertThatThrownBy(() -> start(directory, Optional.empty(), Optional.empty()).close())
                .isInstanceOf(UnknownProfileException.class)
                .hasMessage(
                        "2 nodes have the unknown hardware profile \"mine\"; start with --profiles "
                                + "DIR where DIR contains mine.yaml, or list the nodes to keep "
                                + "with --nodes; all others are deleted with their pods");
        try (var cluster = start(directory, Optional.of(profiles), Optional.empty())) {
            assertThat(awaitUids(cluster)).isEqualTo(before);
        }
    }

    private static EmbeddedBerth start(
            Path directory, Optional<Path> profiles, Optional<String> nodes) {
        return EmbeddedBerth.start(
                ServerSettings.in(directory).withAddress("127.0.0.1", 0),
                SchedulerOptions.defaults(),
                new FleetPlanner(directory, profiles, nodes),
                FleetOptions.defaults());
    }

    /// UIDs of all nodes and slices, once there are enough.
    private static List<String> awaitUids(EmbeddedBerth cluster) throws InterruptedException {
        var end = System.nanoTime() + TIMEOUT.toNanos();
        while (list(cluster, Kinds.NODE).size() < 3
                || list(cluster, Kinds.RESOURCE_SLICE).size() < 2) {
            assertThat(System.nanoTime()).as("it took too long").isLessThan(end);
            Thread.sleep(20);
        }
        return List.of(uids(list(cluster, Kinds.NODE)), uids(list(cluster, Kinds.RESOURCE_SLICE)));
    }

    private static String uids(List<JsonObject> objects) {
        return String.join(
                ",",
                objects.stream()
                        .map(object -> object.objectOrEmpty("metadata").text("uid"))
                        .sorted()
                        .toList());
    }

    private static List<JsonObject> list(EmbeddedBerth whole, Kind<?> kind) {
        try (var cluster =
                new EmbeddedCluster(whole.server(), User.of("test", User.MASTERS), "test")) {
            return cluster.send(new Request.Get(ResourcePath.of(kind), "", ""))
                            instanceof RequestResult.Done(var list)
                    ? list.objects("items")
                    : List.of();
        }
    }
}
