package dev.berth.client.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.client.http.ClientOptions;
import dev.berth.client.http.HttpCluster;
import dev.berth.harness.Eventually;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.ApiServer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Client and server with protobuf, compared with JSON.
class ProtobufTest {

    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);
    private static final ResourcePath NODES = ResourcePath.of(Kinds.NODE);
    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);

    @TempDir private Path directory;
    private ApiServer server;
    private HttpCluster json;
    private HttpCluster protobuf;

    @BeforeEach
    void start() throws Exception {
        server = ApiServer.start(Servers.memory(directory));
        json = Servers.cluster(server, directory);
        protobuf =
                new HttpCluster(
                        Servers.access(server, directory),
                        Servers.clientOptions().withEncoding(ClientOptions.Encoding.PROTOBUF));
        // The first response shows that the server supports protobuf; bodies are protobuf from
        // then on.
        done(protobuf, new Request.Get(new ResourcePath("", "v1", "namespaces"), "", "default"));
    }

    @AfterEach
    void stop() {
        protobuf.close();
        json.close();
        server.close();
    }

    @Test
    void objectsAreTheSameInBoth() {
        done(protobuf, Request.Create.of(CLAIMS, "default", Servers.claim("a")));
        var read = new Request.Get(CLAIMS, "default", "a");
        assertThat(done(protobuf, read)).isEqualTo(done(json, read));
    }

    @Test
    void aPodIsCreatedBoundUpdatedAndDeleted() {
        done(
                protobuf,
                Request.Create.of(
                        NODES,
                        "",
                        Servers.tree(
                                """
                                {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1"}}
                                """)));
        done(protobuf, Request.Create.of(PODS, "default", pod()));
        done(
                protobuf,
                new Request.Create(
                        PODS,
                        "default",
                        "a",
                        "binding",
                        Servers.tree(
                                """
                                {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "a"},
                                 "target": {"apiVersion": "v1", "kind": "Node", "name": "node-1"}}
                                """)));
        var bound = done(protobuf, new Request.Get(PODS, "default", "a"));
        assertThat(bound.objectOrEmpty("spec").text("nodeName")).isEqualTo("node-1");
        var labels = JsonObject.of("app", Json.of("x"));
        var labelled =
                bound.with("metadata", bound.objectOrEmpty("metadata").with("labels", labels));
        var updated = done(protobuf, new Request.Update(PODS, "default", "a", "", labelled));
        var running =
                updated.with(
                        "status",
                        updated.objectOrEmpty("status").with("phase", Json.of("Running")));
        done(protobuf, new Request.Update(PODS, "default", "a", "status", running));
        var read = done(json, new Request.Get(PODS, "default", "a"));
        assertThat(read.objectOrEmpty("metadata").objectOrEmpty("labels")).isEqualTo(labels);
        assertThat(read.objectOrEmpty("status").text("phase")).isEqualTo("Running");
        done(
                protobuf,
                new Request.Delete(PODS, "default", "a", Optional.empty(), OptionalLong.of(0)));
        assertThat(protobuf.send(new Request.Get(PODS, "default", "a")))
                .isInstanceOf(RequestResult.Missing.class);
    }

    @Test
    void recordsOfListsAndWatchesAreTheSameInBoth() throws Exception {
        ObjectCache<Pod> ofJson = ObjectCache.ofRecords();
        ObjectCache<Pod> ofProtobuf = ObjectCache.ofRecords();
        done(protobuf, Request.Create.of(PODS, "default", pod()));
        try (var _ = json.watch(Kinds.POD, "", ofJson);
                var _ = protobuf.watch(Kinds.POD, "", ofProtobuf)) {
            Servers.await(ofJson);
            Servers.await(ofProtobuf);
            assertThat(ofProtobuf.all()).containsExactlyElementsOf(ofJson.all());
            var second = pod().with("metadata", JsonObject.of("name", Json.of("b")));
            done(json, Request.Create.of(PODS, "default", second));
            Eventually.holds("both have two", () -> ofProtobuf.size() == 2 && ofJson.size() == 2);
            assertThat(ofProtobuf.all()).containsExactlyInAnyOrderElementsOf(ofJson.all());
            done(
                    json,
                    new Request.Delete(PODS, "default", "a", Optional.empty(), OptionalLong.of(0)));
            Eventually.holds("one is left", () -> ofProtobuf.size() == 1);
        }
    }

    private static JsonObject done(HttpCluster cluster, Request request) {
        var outcome = cluster.send(request);
        assertThat(outcome).as("%s", request).isInstanceOf(RequestResult.Done.class);
        return ((RequestResult.Done) outcome).object();
    }

    private static JsonObject pod() {
        return Servers.tree(
                """
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"},
                 "spec": {"containers": [{"name": "c", "image": "i",
                   "resources": {"requests": {"cpu": "100m"}}}],
                   "terminationGracePeriodSeconds": 0}}
                """);
    }
}
