package dev.berth.app.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.CommandRun;
import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.embedded.EmbeddedOptions;
import dev.berth.inprocess.EmbeddedCluster;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonReader;
import dev.berth.server.ApiServer;
import dev.berth.server.access.User;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commands that read a running cluster over HTTPS.
class LiveCommandsTest {

    private static final String POD =
            """
            {"apiVersion": "v1", "kind": "Pod",
             "metadata": {"name": "train", "namespace": "default", "labels": {"app": "train"}},
             "spec": {"containers": [{"name": "main", "image": "none"}],
               "affinity": {"podAntiAffinity": {
                 "requiredDuringSchedulingIgnoredDuringExecution": [{
                   "topologyKey": "zone", "labelSelector": {"matchLabels": {"app": "web"}}}]}},
               "resourceClaims": [{"name": "gpu", "resourceClaimName": "wanted"}]}}
            """;

    @TempDir private Path directory;

    private ApiServer server;
    private Cluster cluster;

    @BeforeEach
    void fill() {
        server = ApiServer.start(EmbeddedOptions.inMemory(directory).server());
        cluster = new EmbeddedCluster(server, User.of("test", User.MASTERS), "test");
        for (var name : List.of("a", "b")) {
            create(
                    new ResourcePath("", "v1", "nodes"),
                    """
                    {"apiVersion": "v1", "kind": "Node",
                     "metadata": {"name": "node-%1$s", "labels": {"zone": "%1$s"}}}
                    """
                            .formatted(name));
        }
        create(
                ResourcePath.of(Kinds.RESOURCE_SLICE),
                """
                {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice",
                 "metadata": {"name": "node-a-gpu"}, "spec": {
                   "driver": "gpu.example.com", "nodeName": "node-a",
                   "pool": {"name": "node-a", "generation": 1, "resourceSliceCount": 1},
                   "devices": [
                     {"name": "gpu-0", "attributes": {"model": {"string": "H100"}}},
                     {"name": "gpu-1", "attributes": {"model": {"string": "H100"}}}]}}
                """);
        create(
                ResourcePath.of(Kinds.DEVICE_CLASS),
                """
                {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass",
                 "metadata": {"name": "gpu"}, "spec": {"extendedResourceName": "example.com/gpu",
                   "selectors": [{"cel": {"expression": "device.driver == 'gpu.example.com'"}}]}}
                """);
        create(ResourcePath.of(Kinds.RESOURCE_CLAIM), claim("wanted", "model == 'H100'"));
        create(ResourcePath.of(Kinds.POD), POD);
    }

    @AfterEach
    void end() {
        cluster.close();
        server.close();
    }

    private static String claim(String name, String selector) {
        return """
        {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
         "metadata": {"name": "%s", "namespace": "default"},
         "spec": {"devices": {"requests": [{"name": "gpu", "exactly": {
           "deviceClassName": "gpu", "selectors": [{"cel": {
             "expression": "device.attributes['gpu.example.com'].%s"}}]}}]}}}
        """
                .formatted(name, selector);
    }

    private void create(ResourcePath address, String json) {
        var tree = JsonReader.read(json).object().orElseThrow();
        var namespace = tree.objectOrEmpty("metadata").text("namespace");
        var made = cluster.send(Request.Create.of(address, namespace, tree));
        assertThat(made.isDone()).as("%s", made).isTrue();
    }

    private CommandRun run(String... arguments) {
        var all = new ArrayList<>(List.of(arguments));
        all.add("--kubeconfig");
        all.add(server.kubeconfig().toString());
        return CommandRun.of(all.toArray(new String[0]));
    }

    @Test
    void explainFindsANodeForAPodOfTheCluster() {
        var run = run("explain", "pod/train");
        assertThat(run.err())
                .isEqualTo(
                        "berth: using %s (kubeconfig %s, context \"berth\")%n"
                                .formatted(server.uri(), server.kubeconfig()));
        assertThat(run.out())
                .startsWith("fits on node node-a")
                .contains("gpu.example.com/node-a/gpu-0 for request gpu");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void explainConsidersOtherPodsOfTheCluster() {
        create(
                ResourcePath.of(Kinds.POD),
                """
                {"apiVersion": "v1", "kind": "Pod", "metadata": {
                   "name": "web", "namespace": "default", "labels": {"app": "web"}},
                 "spec": {"nodeName": "node-a", "containers": [{"name": "main", "image": "none"}]}}
                """);
        var run = run("explain", "pod/train", "-n", "default");
        assertThat(run.out())
                .contains(
                        "ruled out: the pod's anti-affinity excludes pods app=web, 1 is in zone=a");
        assertThat(run.exitCode()).isOne();
    }

    @Test
    void aMissingPodIsReported() {
        var run = run("explain", "pod/nobody");
        assertThat(run.err()).contains("there is no pod default/nobody");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void planAddsFilesToTheCluster() throws IOException {
        var workload = directory.resolve("workload.yaml");
        Files.writeString(
                workload,
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: more}
                spec:
                  containers:
                    - {name: main, image: none, resources: {requests: {example.com/gpu: 1}}}
                """);
        var run = run("plan", "-f", workload.toString(), "--replicas", "2");
        assertThat(run.out())
                .contains("default/train ")
                .contains("default/more-0 ")
                .contains("PENDING default/more-1")
                .doesNotContain("train-1")
                .contains("3 pods: 2 placed, 1 pending");
        assertThat(run.exitCode()).isOne();
    }

    @Test
    void inventoryShowsTheCluster() {
        var run = run("inventory", "--node", "node-a");
        assertThat(run.out()).contains("node-a: 2 devices").contains("gpu-[0-1]");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void lintChecksTheCluster() {
        create(ResourcePath.of(Kinds.RESOURCE_CLAIM), claim("misspelt", "modell == 'H100'"));
        var run = run("lint");
        assertThat(run.out())
                .contains("ResourceClaim default/misspelt: warning: ")
                .contains("3 objects in the cluster: 0 errors, 1 warning");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void lintComparesFilesWithTheSlicesOfTheCluster() throws IOException {
        var file = directory.resolve("claim.json");
        Files.writeString(file, claim("new", "modell == 'H100'"));
        var run = run("lint", file.toString());
        assertThat(run.out()).contains("modell").contains("1 object in 1 file: 0 errors, 1 warn");
    }

    @Test
    void anUnreachableClusterIsReported() throws IOException {
        var config = Files.readString(server.kubeconfig());
        server.close();
        var copy = directory.resolve("gone");
        Files.writeString(copy, config);
        var run = CommandRun.of("inventory", "--kubeconfig", copy.toString());
        assertThat(run.err())
                .startsWith("berth: using https://127.0.0.1:")
                .containsPattern(
                        "berth: no API server responds at https://127.0.0.1:[0-9]+: connection"
                                + " refused\n");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void aCertificateOfAnotherAuthorityIsReported() throws IOException {
        var elsewhere = Files.createDirectory(directory.resolve("other"));
        try (var other = ApiServer.start(EmbeddedOptions.inMemory(elsewhere).server())) {
            var config = Files.readString(other.kubeconfig());
            var address = server.uri().toString();
            var wrong = config.replace(other.uri().toString(), address);
            var file = Files.writeString(directory.resolve("wrong"), wrong);
            assertThat(CommandRun.of("inventory", "--kubeconfig", file.toString()).err())
                    .contains("berth: the certificate of the API server at " + address)
                    .contains("is not signed by the CA of kubeconfig " + file);
        }
    }

    @Test
    void aPortInUseIsReported() {
        var port = String.valueOf(server.uri().getPort());
        var data = directory.resolve("second").toString();
        var run = CommandRun.of("serve", "--data-dir", data, "--port", port);
        assertThat(run.err())
                .isEqualTo(
                        "berth: port %s on 127.0.0.1 is in use; choose another with --port, or"
                                        .formatted(port)
                                + " --port 0 for a free one\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void aMissingKubeconfigIsReported() {
        var none = directory.resolve("none").toString();
        for (var command : List.of("inventory", "plan", "lint")) {
            var run = CommandRun.of(command, "--kubeconfig", none);
            assertThat(run.err()).as(command).startsWith("berth: ").contains(none);
            assertThat(run.exitCode()).as(command).isEqualTo(2);
        }
    }

    @Test
    void objectsOfFilesReplaceThoseOfTheCluster() throws IOException {
        var file = directory.resolve("claim.json");
        Files.writeString(file, claim("wanted", "model == 'A100'"));
        var run = run("explain", "pod/train", "-f", file.toString());
        assertThat(run.out())
                .contains("2 fail model == 'A100'")
                .contains("write model == \"H100\" instead");
        assertThat(run.exitCode()).isOne();
    }
}
