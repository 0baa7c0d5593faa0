package dev.berth.client.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.client.http.HttpCluster;
import dev.berth.harness.Eventually;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.codec.Kinds;
import dev.berth.server.ApiServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Watches over HTTPS during restarts, compaction and loss of state of the server.
class HttpWatchTest {

    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);

    @TempDir private Path directory;

    private final ObjectCache<ResourceClaim> cache = ObjectCache.ofRecords();

    @Test
    void watchesDeliverTheListThenChanges() throws Exception {
        try (var server = ApiServer.start(Servers.memory(directory));
                var cluster = Servers.cluster(server, directory)) {
            create(cluster, "a");
            try (var _ = cluster.watch(Kinds.RESOURCE_CLAIM, "", cache)) {
                Servers.await(cache);
                assertThat(names()).containsExactly("a");
                create(cluster, "b");
                Eventually.holds("b has arrived", () -> names().equals(List.of("a", "b")));
                delete(cluster, "a");
                Eventually.holds("a is deleted", () -> names().equals(List.of("b")));
            }
            var other = ObjectCache.ofJson();
            try (var _ = cluster.watch(CLAIMS, "", other)) {
                Servers.await(other);
                create(cluster, "c");
                Eventually.holds("another watch has c", () -> other.size() == 2);
            }
            assertThat(names()).containsExactly("b");
        }
    }

    @Test
    void listsAreRequestedInPages() throws Exception {
        try (var server = ApiServer.start(Servers.memory(directory));
                var cluster =
                        new HttpCluster(
                                Servers.access(server, directory),
                                Servers.clientOptions().withPageSize(2))) {
            for (var name : List.of("a", "b", "c", "d", "e")) {
                create(cluster, name);
            }
            var jsonCache = ObjectCache.ofJson();
            try (var _ = cluster.watch(Kinds.RESOURCE_CLAIM, "", cache);
                    var _ = cluster.watch(CLAIMS, "metadata.name=d", jsonCache)) {
                Servers.await(cache);
                Servers.await(jsonCache);
                assertThat(names()).containsExactly("a", "b", "c", "d", "e");
                assertThat(jsonCache.all())
                        .singleElement()
                        .extracting(tree -> tree.text("kind"))
                        .isEqualTo("ResourceClaim");
            }
        }
    }

    @Test
    void aMissingKindHasNoObjects() throws Exception {
        try (var server = ApiServer.start(Servers.memory(directory));
                var cluster = Servers.cluster(server, directory)) {
            var nothing = ObjectCache.ofJson();
            var address = new ResourcePath("example.com", "v1", "wonders");
            try (var _ = cluster.watch(address, "", nothing)) {
                Servers.await(nothing);
                assertThat(nothing.all()).isEmpty();
            }
        }
    }

    @Test
    void aWatchSurvivesARestart() throws Exception {
        var server = ApiServer.start(Servers.sqlite(directory, 0));
        try (var cluster = Servers.cluster(server, directory);
                var _ = cluster.watch(Kinds.RESOURCE_CLAIM, "", cache)) {
            create(cluster, "a");
            Eventually.holds("a has arrived", () -> names().equals(List.of("a")));
            server = restarted(server);
            create(cluster, "b");
            Eventually.holds("b has arrived", () -> names().equals(List.of("a", "b")));
        } finally {
            server.close();
        }
    }

    @Test
    void changesDuringACompactedOutageAreDelivered() throws Exception {
        var server = ApiServer.start(Servers.sqlite(directory, 0));
        try (var cluster = Servers.cluster(server, directory);
                var _ = cluster.watch(Kinds.RESOURCE_CLAIM, "", cache)) {
            create(cluster, "a");
            Eventually.holds("a has arrived", () -> names().equals(List.of("a")));
            var port = server.uri().getPort();
            server.close();
            server = ApiServer.start(Servers.sqlite(directory, 0));
            try (var other = Servers.cluster(server, directory)) {
                create(other, "b");
                delete(other, "a");
            }
            server.close();
            server = ApiServer.start(Servers.sqlite(directory, port));
            Eventually.holds("only b is left", () -> names().equals(List.of("b")));
            create(cluster, "c");
            Eventually.holds("c has arrived", () -> names().equals(List.of("b", "c")));
        } finally {
            server.close();
        }
    }

    @Test
    void aServerThatLostItsStateIsListedAgain() throws Exception {
        var server = ApiServer.start(Servers.memory(directory));
        var port = server.uri().getPort();
        try (var cluster = Servers.cluster(server, directory);
                var _ = cluster.watch(Kinds.RESOURCE_CLAIM, "", cache)) {
            for (var i = 0; i < 50; i++) {
                create(cluster, "claim-" + i);
            }
            Eventually.holds("all have arrived", () -> cache.size() == 50);
            server.close();
            server = ApiServer.start(Servers.memory(directory).withAddress("127.0.0.1", port));
            Eventually.holds("none is left", () -> cache.size() == 0);
        } finally {
            server.close();
        }
    }

    @Test
    void anIdleWatchIsRestartedAndCompactionOnlyCostsAList() throws Exception {
        var options = Servers.clientOptions().withIdleTimeout(Duration.ofMillis(200));
        try (var server = ApiServer.start(Servers.memory(directory));
                var cluster = new HttpCluster(Servers.access(server, directory), options);
                var _ = cluster.watch(Kinds.RESOURCE_CLAIM, "", cache)) {
            Servers.await(cache);
            // Changes of another kind advance the store, so that the idle watch falls behind.
            var map =
                    Servers.tree(
                            """
                            {"apiVersion": "v1", "kind": "ConfigMap",
                             "metadata": {"name": "a", "namespace": "default"}}
                            """);
            cluster.send(
                    Request.Create.of(new ResourcePath("", "v1", "configmaps"), "default", map));
            var store = server.registry().store();
            store.compact(store.revision());
            // Several idle timeouts pass.
            Thread.sleep(600);
            create(cluster, "a");
            Eventually.holds("a has arrived", () -> names().equals(List.of("a")));
        }
    }

    private ApiServer restarted(ApiServer server) {
        var port = server.uri().getPort();
        server.close();
        return ApiServer.start(Servers.sqlite(directory, port));
    }

    private List<String> names() {
        return cache.all().stream().map(claim -> claim.metadata().name()).sorted().toList();
    }

    private static void create(HttpCluster cluster, String name) {
        var outcome = cluster.send(Request.Create.of(CLAIMS, "default", Servers.claim(name)));
        assertThat(outcome.isDone()).as(outcome.message()).isTrue();
    }

    private static void delete(HttpCluster cluster, String name) {
        var request =
                new Request.Delete(CLAIMS, "default", name, Optional.empty(), OptionalLong.empty());
        assertThat(cluster.send(request).isDone()).isTrue();
    }
}
