package dev.berth.app.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.drivers.sim.FleetOptions;
import dev.berth.embedded.EmbeddedBerth;
import dev.berth.embedded.EmbeddedOptions;
import dev.berth.harness.Eventually;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.server.access.User;
import dev.berth.server.auth.ServerTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Simulated nodes that are added and removed while the cluster runs.
class NodesAtRunTimeTest {

    private static final ResourcePath NODES = ResourcePath.of(Kinds.NODE);
    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);
    private static final ResourcePath CLASSES = ResourcePath.of(Kinds.DEVICE_CLASS);

    @TempDir private Path directory;

    @Test
    void nodesComeAndGoWithTheirObjects() {
        try (var whole = start(Optional.of("cpu=2"), FleetOptions.defaults())) {
            var cluster = whole.cluster("test");
            Eventually.holds(() -> isReady(cluster, "cpu-0") && isReady(cluster, "cpu-1"));
            assertThat(find(cluster, CLASSES, "", "tpu.google.com")).isEmpty();

            create(cluster, NODES, node("box", "tpu-v5e"));
            Eventually.holds(() -> isReady(cluster, "box") && slices(cluster, "box") > 0);
            assertThat(find(cluster, CLASSES, "", "tpu.google.com")).isPresent();
            create(cluster, NODES, node("typo", "tpu"));
            Eventually.holds(() -> !condition(cluster, "typo", "SimulatedProfile").isEmpty());
            assertThat(condition(cluster, "typo", "SimulatedProfile").text("message"))
                    .isEqualTo(
                            "sim.berth.dev/profile: unknown hardware profile \"tpu\"; berth up"
                                    + " --list-profiles lists all");
            Eventually.holds(() ->
                    items(cluster, ResourcePath.EVENTS).stream()
                            .anyMatch(event -> event.text("reason").equals("UnknownProfile")));

            podsOfNewNodesRun(whole, cluster);
            delete(cluster, "cpu-0");
            create(cluster, NODES, node("last", "cpu"));
            Eventually.holds(() -> isReady(cluster, "last"));
        }
        try (var whole = start(Optional.empty(), FleetOptions.defaults())) {
            var cluster = whole.cluster("test");
            assertThat(names(whole)).containsExactlyInAnyOrder("cpu-1", "box", "last");
            Eventually.holds(() -> isReady(cluster, "box"));
            assertThat(find(cluster, NODES, "", "cpu-0")).isEmpty();
            assertThat(find(cluster, NODES, "", "typo")).isPresent();
            List.of("cpu-1", "box", "last").forEach(name -> delete(cluster, name));
        }
        try (var whole = start(Optional.empty(), FleetOptions.defaults())) {
            assertThat(names(whole)).as("a cluster without nodes stays so").isEmpty();
        }
        try (var whole =
                start(Optional.of("cpu=1"), FleetOptions.defaults().withPreferNoSchedule())) {
            var cluster = whole.cluster("test");
            Eventually.holds(() -> isReady(cluster, "cpu-0"));
            assertThat(
                            find(cluster, NODES, "", "cpu-0")
                                    .orElseThrow()
                                    .objectOrEmpty("spec")
                                    .objects("taints"))
                    .extracting(taint -> taint.text("key") + ":" + taint.text("effect"))
                    .containsExactly("sim.berth.dev/simulated:PreferNoSchedule");
        }
    }

    private static void podsOfNewNodesRun(EmbeddedBerth whole, Cluster cluster) {
        create(
                cluster,
                PODS,
                yaml(
                        """
                        apiVersion: v1
                        kind: Pod
                        metadata:
                          name: job
                          namespace: default
                          annotations: {sim.berth.dev/exit-code: many, sim.berth.dev/run-for: 1ms}
                        spec:
                          nodeName: box
                          restartPolicy: Never
                          containers: [{name: c, image: x, command: [sleep, infinity]}]
                        """));
        Eventually.holds(() ->
                find(cluster, PODS, "default", "job")
                        .filter(pod ->
                                pod.objectOrEmpty("status").text("phase").equals("Succeeded"))
                        .isPresent());
        assertThat(items(cluster, ResourcePath.EVENTS))
                .anyMatch(event -> event.text("reason").equals("InvalidSimulationAnnotation"));
        assertThat(request(whole, "log").statusCode()).isEqualTo(200);
        var exec = request(whole, "exec?command=ls");
        assertThat(exec.statusCode()).isEqualTo(400);
        assertThat(exec.body()).contains("\"message\":\"Pods on simulated nodes do not run: ");
    }

    private static HttpResponse<String> request(EmbeddedBerth whole, String subresource) {
        var server = whole.server();
        var admin = server.authority().issueClient("test", List.of(User.MASTERS));
        var tls = ServerTls.context(server.authority(), admin);
        var uri = server.uri().resolve("/api/v1/namespaces/default/pods/job/" + subresource);
        try (var client = HttpClient.newBuilder().sslContext(tls).build()) {
            return client.send(
                    HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private EmbeddedBerth start(Optional<String> nodes, FleetOptions options) {
        return EmbeddedBerth.start(
                EmbeddedOptions.in(directory)
                        .withNodes(new FleetPlanner(directory, Optional.empty(), nodes))
                        .withSimulation(options));
    }

    private static List<String> names(EmbeddedBerth whole) {
        return whole.plan().members().stream().map(one -> one.name()).toList();
    }

    private static boolean isReady(Cluster cluster, String node) {
        return condition(cluster, node, "Ready").text("status").equals("True");
    }

    private static JsonObject condition(Cluster cluster, String node, String type) {
        return find(cluster, NODES, "", node).stream()
                .flatMap(one -> one.objectOrEmpty("status").objects("conditions").stream())
                .filter(one -> one.text("type").equals(type))
                .findFirst()
                .orElse(JsonObject.EMPTY);
    }

    private static long slices(Cluster cluster, String node) {
        return items(cluster, ResourcePath.of(Kinds.RESOURCE_SLICE)).stream()
                .filter(slice -> slice.objectOrEmpty("spec").text("nodeName").equals(node))
                .count();
    }

    private static List<JsonObject> items(Cluster cluster, ResourcePath address) {
        return cluster.send(new Request.Get(address, "", ""))
                        instanceof RequestResult.Done(var list)
                ? list.objects("items")
                : List.of();
    }

    private static Optional<JsonObject> find(
            Cluster cluster, ResourcePath address, String namespace, String name) {
        return cluster.send(new Request.Get(address, namespace, name))
                        instanceof RequestResult.Done(var object)
                ? Optional.of(object)
                : Optional.empty();
    }

    private static void create(Cluster cluster, ResourcePath address, JsonObject object) {
        var namespace = object.objectOrEmpty("metadata").text("namespace");
        assertThat(cluster.send(Request.Create.of(address, namespace, object)))
                .isInstanceOf(RequestResult.Done.class);
    }

    private static void delete(Cluster cluster, String node) {
        assertThat(
                        cluster.send(
                                new Request.Delete(
                                        NODES, "", node, Optional.empty(), OptionalLong.empty())))
                .isInstanceOf(RequestResult.Done.class);
    }

    private static JsonObject node(String name, String profile) {
        return yaml(
                """
                apiVersion: v1
                kind: Node
                metadata: {name: %s, labels: {sim.berth.dev/profile: %s}}
                """
                        .formatted(name, profile));
    }

    private static JsonObject yaml(String text) {
        if (YamlReader.read(text) instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject object) {
            return object;
        }
        throw new IllegalArgumentException(text);
    }
}
