package dev.berth.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.control.Controller;
import dev.berth.drivers.sim.FleetPlan;
import dev.berth.drivers.sim.HardwareProfiles;
import dev.berth.drivers.sim.InvalidProfileException;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBerthTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    @Test
    void restartKeepsNodesAndSlices(@TempDir Path directory) throws InterruptedException {
        var options = EmbeddedOptions.in(directory);
        List<String> before;
        try (var berth = EmbeddedBerth.start(options.withNodes("tpu-v5e=2,cpu=1"))) {
            berth.awaitReady(TIMEOUT);
            before = uids(berth);
        }
        var profiles = HardwareProfiles.builtIn();
        try (var berth =
                EmbeddedBerth.start(
                        options.withNodes(cluster -> FleetPlan.present(cluster, profiles)))) {
            assertThat(berth.plan().nodes()).hasSize(3);
            berth.awaitReady(TIMEOUT);
            assertThat(uids(berth)).isEqualTo(before);
            assertThat(list(berth, Kinds.DEVICE_CLASS)).isNotEmpty();
        }
    }

    @Test
    void temporaryFilesAreDeleted() {
        Path kubeconfig;
        try (var berth = EmbeddedBerth.start("cpu=1")) {
            kubeconfig = berth.kubeconfig();
            assertThat(kubeconfig).content().contains(berth.uri().toString());
        }
        assertThat(kubeconfig.resolveSibling("")).doesNotExist();
    }

    @Test
    void componentsCanBeLeftOut(@TempDir Path directory) {
        var serverOnly =
                EmbeddedOptions.inMemory(directory).withoutScheduler().withControllers(Set.of());
        try (var berth = EmbeddedBerth.start(serverOnly)) {
            assertThat(berth.scheduler()).isEmpty();
            assertThat(berth.fleet()).isEmpty();
            assertThat(list(berth, Kinds.NODE)).isEmpty();
        }
        var one = serverOnly.withControllers(Set.of(Controller.CLAIMS));
        assertThat(one.controllers()).containsExactly(Controller.CLAIMS);
    }

    @Test
    void anUnknownProfileIsRefused() {
        assertThatThrownBy(() -> EmbeddedBerth.start("h100x9=1").close())
                .isInstanceOf(InvalidProfileException.class)
                .hasMessageContaining("h100x9");
    }

    /// UIDs of all nodes and slices.
    private static List<String> uids(EmbeddedBerth berth) {
        return List.of(uids(list(berth, Kinds.NODE)), uids(list(berth, Kinds.RESOURCE_SLICE)));
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
