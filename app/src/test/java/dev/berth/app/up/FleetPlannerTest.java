package dev.berth.app.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.drivers.sim.UnknownProfileException;
import dev.berth.embedded.EmbeddedBerth;
import dev.berth.embedded.EmbeddedOptions;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FleetPlannerTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

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
                EmbeddedOptions.in(directory)
                        .withNodes(new FleetPlanner(directory, profiles, nodes)));
    }

    /// UIDs of all nodes and slices, once all are there.
    private static List<String> awaitUids(EmbeddedBerth cluster) throws InterruptedException {
        cluster.awaitReady(TIMEOUT);
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

    private static List<JsonObject> list(EmbeddedBerth berth, Kind<?> kind) {
        return berth.cluster("test").send(new Request.Get(ResourcePath.of(kind), "", ""))
                        instanceof RequestResult.Done(var list)
                ? list.objects("items")
                : List.of();
    }
}
