package dev.berth.app.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.CommandRun;
import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.embedded.EmbeddedOptions;
import dev.berth.inprocess.EmbeddedCluster;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.server.ApiServer;
import dev.berth.server.access.User;
import dev.berth.server.auth.DefaultRoles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commands of service accounts with few permissions: only the ClusterRole `berth-reader`, `edit`
/// in one namespace, and `edit` with permission for cluster-scoped kinds.
class ReaderRoleTest {

    private static final ResourcePath ACCOUNTS = new ResourcePath("", "v1", "serviceaccounts");
    private static final String RBAC = "rbac.authorization.k8s.io";

    @TempDir private static Path directory;

    private static ApiServer server;
    private static Cluster admin;

    @BeforeAll
    static void start() throws IOException {
        server = ApiServer.start(EmbeddedOptions.inMemory(directory).server());
        admin = new EmbeddedCluster(server, User.of("test", User.MASTERS), "test");
        for (var namespace : List.of("team-a", "team-b")) {
            create("", "namespaces", "", "Namespace", "v1", namespace, "");
            create("", "serviceaccounts", namespace, "ServiceAccount", "v1", "alice", "");
        }
        fillCluster();
        var bind =
                """
                , "roleRef": {"apiGroup": "%s", "kind": "ClusterRole", "name": "%s"},
                "subjects": [{"kind": "ServiceAccount", "name": "%s", "namespace": "team-a"}]
                """;
        for (var name : List.of("reader", "editor", "partial")) {
            create("", "serviceaccounts", "team-a", "ServiceAccount", "v1", name, "");
            writeKubeconfig(name);
        }
        var rbac = RBAC + "/v1";
        create(
                RBAC,
                "clusterrolebindings",
                "",
                "ClusterRoleBinding",
                rbac,
                "reader",
                bind.formatted(RBAC, "berth-reader", "reader"));
        create(
                RBAC,
                "rolebindings",
                "team-a",
                "RoleBinding",
                rbac,
                "editor",
                bind.formatted(RBAC, "edit", "editor"));
        create(
                RBAC,
                "rolebindings",
                "team-a",
                "RoleBinding",
                rbac,
                "partial",
                bind.formatted(RBAC, "edit", "partial"));
        create(
                RBAC,
                "clusterroles",
                "",
                "ClusterRole",
                rbac,
                "hardware",
                """
                , "rules": [{"verbs": ["get", "list", "watch"],
                "apiGroups": ["", "resource.k8s.io"],
                "resources": ["nodes", "resourceslices", "deviceclasses"]}]
                """);
        create(
                RBAC,
                "clusterrolebindings",
                "",
                "ClusterRoleBinding",
                rbac,
                "partial",
                bind.formatted(RBAC, "hardware", "partial"));
    }

    /// A node with one device, which a claim of team-b holds, and a pending pod in team-a.
    private static void fillCluster() {
        var dra = "resource.k8s.io";
        create("", "nodes", "", "Node", "v1", "node-1", "");
        create(
                dra,
                "resourceslices",
                "",
                "ResourceSlice",
                dra + "/v1",
                "node-1-gpu",
                """
                , "spec": {"driver": "gpu.example.com", "nodeName": "node-1",
                "pool": {"name": "node-1", "generation": 1, "resourceSliceCount": 1},
                "devices": [{"name": "gpu-0"}]}
                """);
        create(
                dra,
                "deviceclasses",
                "",
                "DeviceClass",
                dra + "/v1",
                "gpu.example.com",
                """
                , "spec": {"selectors": [{"cel": {
                  "expression": "device.driver == 'gpu.example.com'"}}]}
                """);
        var claim =
                """
                , "spec": {"devices": {"requests": [{"name": "gpu", "exactly": {
                  "deviceClassName": "gpu.example.com"}}]}}
                """;
        create(dra, "resourceclaims", "team-a", "ResourceClaim", dra + "/v1", "own", claim);
        create(dra, "resourceclaims", "team-b", "ResourceClaim", dra + "/v1", "secret", claim);
        status(
                ResourcePath.of(Kinds.RESOURCE_CLAIM),
                "team-b",
                "secret",
                """
                {"status": {"allocation": {"devices": {"results": [{"request": "gpu",
                "driver": "gpu.example.com", "pool": "node-1", "device": "gpu-0"}]},
                "nodeSelector": {"nodeSelectorTerms": [{"matchFields": [{
                  "key": "metadata.name", "operator": "In", "values": ["node-1"]}]}]}}}}
                """);
        create(
                "",
                "pods",
                "team-a",
                "Pod",
                "v1",
                "train",
                """
                , "spec": {"containers": [{"name": "main", "image": "train"}],
                "resourceClaims": [{"name": "gpu", "resourceClaimName": "own"}]}
                """);
        status(
                ResourcePath.of(Kinds.POD),
                "team-a",
                "train",
                """
                {"status": {"conditions": [{"type": "PodScheduled", "status": "False",
                "reason": "Unschedulable", "message": "0/1 nodes are available: no device is free"}]}}
                """);
    }

    private static void create(
            String group,
            String plural,
            String namespace,
            String kind,
            String apiVersion,
            String name,
            String rest) {
        var tree =
                tree(
                        """
                        {"apiVersion": "%s", "kind": "%s", "metadata": {"name": "%s"%s}%s}
                        """
                                .formatted(
                                        apiVersion,
                                        kind,
                                        name,
                                        namespace.isEmpty()
                                                ? ""
                                                : ", \"namespace\": \"" + namespace + "\"",
                                        rest));
        var made =
                admin.send(
                        Request.Create.of(new ResourcePath(group, "v1", plural), namespace, tree));
        assertThat(made.isDone()).as("%s %s: %s", kind, name, made).isTrue();
    }

    private static void status(ResourcePath resource, String namespace, String name, String patch) {
        var done =
                admin.send(
                        new Request.Patch(
                                resource,
                                namespace,
                                name,
                                "status",
                                Request.PatchType.MERGE,
                                tree(patch)));
        assertThat(done.isDone()).as("%s", done).isTrue();
    }

    private static void writeKubeconfig(String account) throws IOException {
        var request =
                tree(
                        """
                        {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
                         "spec": {"expirationSeconds": 3600}}
                        """);
        var answer = admin.send(new Request.Create(ACCOUNTS, "team-a", account, "token", request));
        if (!(answer instanceof RequestResult.Done(var token))) {
            throw new AssertionError(answer.message());
        }
        var authority =
                Base64.getEncoder()
                        .encodeToString(
                                server.authority()
                                        .certificatePem()
                                        .getBytes(StandardCharsets.US_ASCII));
        Files.writeString(
                kubeconfig(account),
                """
                apiVersion: v1
                kind: Config
                current-context: c
                contexts: [{name: c, context: {cluster: c, user: u, namespace: team-a}}]
                clusters: [{name: c, cluster: {server: "%s", certificate-authority-data: %s}}]
                users: [{name: u, user: {token: %s}}]
                """
                        .formatted(
                                server.uri(),
                                authority,
                                token.objectOrEmpty("status").text("token")));
    }

    private static Path kubeconfig(String account) {
        return directory.resolve(account + ".kubeconfig");
    }

    @AfterAll
    static void stop() {
        admin.close();
        server.close();
    }

    private static CommandRun run(String account, String... arguments) {
        var all = new ArrayList<>(List.of(arguments));
        all.add("--kubeconfig");
        all.add(kubeconfig(account).toString());
        var run = CommandRun.of(all.toArray(new String[0]));
        assertThat(run.err() + run.out()).doesNotContain("berth-may-i-read");
        return run;
    }

    /// Standard error without the line that names the cluster.
    private static String messages(CommandRun run) {
        return run.err().substring(run.err().indexOf('\n') + 1);
    }

    @Test
    void readersCanUseEveryCommand() {
        var explain = run("reader", "explain", "pod/train");
        assertThat(messages(explain)).isEmpty();
        assertThat(explain.out()).contains("team-b/secret");
        assertThat(explain.exitCode()).isOne();
        for (var command : List.of("plan", "inventory", "lint")) {
            var run = run("reader", command);
            assertThat(messages(run)).as(command).isEmpty();
            assertThat(run.exitCode()).as(command).isLessThan(2);
        }
        var workload = run("reader", "explain", "deployment/none");
        assertThat(messages(workload)).isEqualTo("berth: there is no Deployment team-a/none\n");
    }

    @Test
    void editorsOfANamespaceLearnWhichRoleIsMissing() {
        var explain = run("editor", "explain", "pod/train");
        assertThat(explain.out())
                .isEqualTo(
                        """
                        The scheduler reports for pod train:
                          0/1 nodes are available: no device is free
                        """);
        assertThat(messages(explain))
                .isEqualTo(
                        """
                        berth: system:serviceaccount:team-a:editor may not list nodes, \
                        resourceslices, deviceclasses, resourceclaims of other namespaces and \
                        pods of other namespaces. The ClusterRole berth-reader permits it; an \
                        administrator can bind it with
                          kubectl create clusterrolebinding berth-reader-editor \
                        --clusterrole=berth-reader --serviceaccount=team-a:editor
                        Berth servers have this role. For other clusters, apply \
                        deploy/berth-reader.yaml first.
                        """);
        assertThat(explain.exitCode()).isEqualTo(2);
        for (var command : List.of("plan", "inventory")) {
            var run = run("editor", command);
            assertThat(messages(run)).as(command).contains("--clusterrole=berth-reader");
            assertThat(run.exitCode()).as(command).isEqualTo(2);
        }
    }

    @Test
    void editorsCanLintWithTheObjectsOfTheirNamespace() throws IOException {
        var pod = directory.resolve("pod.yaml");
        Files.writeString(
                pod,
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: new}
                spec:
                  resourceClaims:
                  - {name: gpu, resourceClaimName: owm}
                  containers:
                  - {name: main, image: x, resources: {claims: [{name: gpu}]}}
                """);
        var run = run("editor", "lint", pod.toString());
        assertThat(run.out())
                .contains("there is no ResourceClaim owm in namespace team-a; did you mean own?");
        assertThat(messages(run))
                .startsWith("berth: not compared: system:serviceaccount:team-a:editor may not list")
                .contains("resourceslices, deviceclasses");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void devicesInUseByInvisibleClaimsDoNotAppearToFit() {
        var run = run("partial", "explain", "pod/train");
        assertThat(run.out())
                .startsWith(
                        "fits on node node-1, unless a claim in another namespace holds its"
                                + " devices\n")
                .endsWith(
                        """
                        The scheduler reports for pod train:
                          0/1 nodes are available: no device is free
                        """);
        assertThat(messages(run))
                .contains("a claim in another namespace")
                .contains("the ClusterRole berth-reader")
                .doesNotContain("team-b");
        assertThat(run.exitCode()).isOne();
    }

    @Test
    void theManifestForOtherClustersHasTheRulesOfTheServer() throws IOException {
        var file = Path.of("..", "deploy", "berth-reader.yaml");
        if (!(YamlReader.read(Files.readString(file)) instanceof ParseResult.Documents(var all))) {
            throw new AssertionError("cannot be parsed");
        }
        var role = (JsonObject) all.getFirst().root();
        assertThat(role.objectOrEmpty("metadata").text("name")).isEqualTo("berth-reader");
        var builtIn =
                DefaultRoles.all().stream()
                        .filter(one ->
                                one.objectOrEmpty("metadata").text("name").equals("berth-reader"))
                        .findFirst()
                        .orElseThrow();
        assertThat(role.objects("rules")).isEqualTo(builtIn.objects("rules"));
    }

    private static JsonObject tree(String json) {
        return JsonReader.read(json).object().orElseThrow();
    }
}
