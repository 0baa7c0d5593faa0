package dev.berth.app.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.RequestResult;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.ProgramEnvironment;
import dev.berth.client.http.ClientOptions;
import dev.berth.client.http.HttpCluster;
import dev.berth.control.Controller;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.StoreChoice;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DefaultControllersTest {

    private static Set<Controller> with(String version) {
        return DefaultControllers.of(
                new RequestResult.Done(JsonObject.of("gitVersion", Json.of(version))));
    }

    @Test
    void berthServerNeedsAllControllers() {
        assertThat(with("v1.37.0+berth")).containsExactlyInAnyOrder(Controller.values());
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1.37.0", "v1.34.1+k3s1", "v1.33.5-eks-3025e55", ""})
    void kubernetesNeedsOnlyMissingControllers(String version) {
        assertThat(with(version)).isEqualTo(Controller.missingInKubernetes());
    }

    @Test
    void berthServerIsRecognizedByItsVersion(@TempDir Path directory) {
        var around = new ProgramEnvironment(Map.of(), directory, directory, Clock.systemUTC());
        try (var server = server(directory);
                var cluster =
                        new HttpCluster(
                                ClusterAccess.find(
                                        around, Optional.of(server.kubeconfig()), Optional.empty()),
                                ClientOptions.of("test", "0"))) {
            assertThat(DefaultControllers.of(cluster.version())).contains(Controller.NODES);
        }
    }

    private static ApiServer server(Path directory) {
        return ApiServer.start(
                ServerSettings.in(directory)
                        .withStore(new StoreChoice.Memory())
                        .withAddress("127.0.0.1", 0));
    }

    @Test
    void anUnavailableServerIsAwaited() {
        var done = new RequestResult.Done(JsonObject.EMPTY);
        var answers =
                new ArrayDeque<RequestResult>(
                        List.of(
                                new RequestResult.Unavailable("unreachable"),
                                new RequestResult.Unavailable("unreachable"),
                                done));
        var messages = new ArrayList<String>();
        var pauses = new AtomicInteger();
        var answer =
                DefaultControllers.answer(answers::remove, messages::add, pauses::incrementAndGet);
        assertThat(answer).isEqualTo(done);
        assertThat(messages).containsExactly("unreachable");
        assertThat(pauses).hasValue(2);
    }

    @Test
    void aServerWithoutVersionIsAnError() {
        assertThatThrownBy(() ->
                        DefaultControllers.of(new RequestResult.Refused(403, "Forbidden", "no")))
                .hasMessageContaining("--controllers");
        assertThatThrownBy(() -> DefaultControllers.of(new RequestResult.Unavailable("no answer")))
                .hasMessageContaining("no answer");
        assertThatThrownBy(() -> DefaultControllers.of(new RequestResult.Missing("no such page")))
                .hasMessageContaining("no such page");
    }
}
