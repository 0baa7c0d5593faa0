package dev.berth.client.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.client.http.HttpCluster;
import dev.berth.harness.Eventually;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.http.ServerLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The client over HTTPS with Berth's server.
class HttpClusterTest {

    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);

    @TempDir private Path directory;

    @Test
    void everyRequestHasItsResult() {
        try (var server = ApiServer.start(Servers.memory(directory));
                var cluster = Servers.cluster(server, directory)) {
            var create = Request.Create.of(CLAIMS, "default", Servers.claim("a"));
            var created = ((RequestResult.Done) cluster.send(create)).object();
            assertThat(created.objectOrEmpty("metadata").text("uid")).isNotEmpty();
            assertThat(cluster.send(create)).isInstanceOf(RequestResult.Exists.class);

            assertThat(cluster.send(new Request.Get(CLAIMS, "default", "a")).isDone()).isTrue();
            assertThat(cluster.send(new Request.Get(CLAIMS, "default", "b")))
                    .isInstanceOf(RequestResult.Missing.class);

            var labels = JsonObject.of("labels", JsonObject.of("x", Json.of("y")));
            var patch =
                    new Request.Patch(
                            CLAIMS,
                            "default",
                            "a",
                            "",
                            Request.PatchType.MERGE,
                            JsonObject.of("metadata", labels));
            assertThat(cluster.send(patch).isDone()).isTrue();
            assertThat(cluster.send(new Request.Update(CLAIMS, "default", "a", "", created)))
                    .isInstanceOf(RequestResult.Conflict.class);

            var nameless = Request.Create.of(CLAIMS, "default", Servers.claim("NO"));
            assertThat(cluster.send(nameless))
                    .isInstanceOfSatisfying(
                            RequestResult.Refused.class,
                            refused -> assertThat(refused.reason()).isEqualTo("Invalid"));

            assertThat(cluster.send(delete(Optional.of("other"))))
                    .isInstanceOf(RequestResult.Conflict.class);
            assertThat(cluster.send(delete(Optional.empty())).isDone()).isTrue();
        }
    }

    private static Request delete(Optional<String> uid) {
        return new Request.Delete(CLAIMS, "default", "a", uid, OptionalLong.empty());
    }

    @Test
    void writesHaveTheFieldManager() {
        try (var server = ApiServer.start(Servers.memory(directory));
                var cluster = Servers.cluster(server, directory)) {
            var created = cluster.send(Request.Create.of(CLAIMS, "default", Servers.claim("a")));
            assertThat(((RequestResult.Done) created).object().objectOrEmpty("metadata"))
                    .extracting(metadata -> metadata.objects("managedFields").getFirst())
                    .extracting(field -> field.text("manager"))
                    .isEqualTo("test");
        }
    }

    @Test
    void aMissingServerIsUnavailable() {
        HttpCluster cluster;
        try (var server = ApiServer.start(Servers.memory(directory))) {
            cluster = Servers.cluster(server, directory);
        }
        try (cluster) {
            assertThat(cluster.send(new Request.Get(CLAIMS, "default", "a")))
                    .isInstanceOf(RequestResult.Unavailable.class);
        }
    }

    @Test
    void requestsToABusyServerAreRetried() throws Exception {
        var limits = ServerLimits.DEFAULT.withSeats(1).withQueueLength(0);
        try (var server = ApiServer.start(Servers.memory(directory).withLimits(limits));
                var cluster = Servers.clusterOf("busy", server, directory);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var tasks = new ArrayList<Callable<RequestResult>>();
            for (var i = 0; i < 12; i++) {
                var claim = Servers.claim("claim-" + i);
                tasks.add(() -> cluster.send(Request.Create.of(CLAIMS, "default", claim)));
            }
            for (var outcome : threads.invokeAll(tasks)) {
                assertThat(outcome.get()).isInstanceOf(RequestResult.Done.class);
            }
        }
    }

    @Test
    void olderApiVersionsOfServersAreUsed() throws Exception {
        for (var version : List.of("v1beta1", "v1beta2")) {
            var settings = Servers.memory(directory.resolve(version));
            try (var server = ApiServer.start(only(version, settings));
                    var cluster = Servers.cluster(server, directory)) {
                var cache = ObjectCache.<ResourceClaim>ofRecords();
                var jsonCache = ObjectCache.ofJson();
                try (var _ = cluster.watch(Kinds.RESOURCE_CLAIM, "", cache);
                        var _ = cluster.watch(CLAIMS, "", jsonCache)) {
                    Servers.await(cache);
                    Servers.await(jsonCache);
                    var create = Request.Create.of(CLAIMS, "default", Servers.claim("a"));
                    var created = ((RequestResult.Done) cluster.send(create)).object();
                    assertThat(created.text("apiVersion")).isEqualTo("resource.k8s.io/v1");
                    Eventually.holds(
                            "both have received it", () -> cache.size() + jsonCache.size() == 2);
                    var claim = cache.find(new ObjectRef("default", "a")).orElseThrow();
                    assertThat(claim.spec().requests()).hasSize(1);
                    assertThat(jsonCache.all()).containsExactly(created);
                    var read = cluster.send(new Request.Get(CLAIMS, "default", "a"));
                    assertThat(read).isEqualTo(new RequestResult.Done(created));
                    var status = created.with("status", JsonObject.EMPTY);
                    var update = new Request.Update(CLAIMS, "default", "a", "status", status);
                    assertThat(cluster.send(update)).isInstanceOf(RequestResult.Done.class);
                }
            }
        }
    }

    private static ServerSettings only(String version, ServerSettings all) {
        return new ServerSettings(
                all.directory(),
                all.store(),
                all.address(),
                all.names(),
                all.gates(),
                List.of(version),
                all.limits(),
                all.clock(),
                all.allowsDoubleAllocation(),
                all.podSecurity(),
                all.metrics());
    }
}
