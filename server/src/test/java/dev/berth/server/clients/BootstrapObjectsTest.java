package dev.berth.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import dev.berth.server.ApiServer;
import dev.berth.server.RunningServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Bootstrap objects of a new cluster, and their protection.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BootstrapObjectsTest {

    private ApiServer server;
    private Http http;

    @BeforeAll
    void start(@TempDir Path directory) {
        server = RunningServer.inMemory(directory, settings -> settings);
        http = Http.admin(server);
    }

    @AfterAll
    void stop() {
        http.close();
        server.close();
    }

    @Test
    void namespacesPriorityClassesAndServiceExist() {
        assertThat(http.get("/api/v1/namespaces").names())
                .contains("default", "kube-node-lease", "kube-public", "kube-system");
        assertThat(http.get("/apis/scheduling.k8s.io/v1/priorityclasses").names())
                .containsExactly("system-cluster-critical", "system-node-critical");
        var service = http.get("/api/v1/namespaces/default/services/kubernetes").json();
        assertThat(service.objectOrEmpty("spec").text("clusterIP")).isEqualTo("10.96.0.1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "kube-system", "kube-public"})
    void systemNamespacesCannotBeDeleted(String name) {
        var response = http.delete("/api/v1/namespaces/" + name, "");

        assertThat(response.code()).isEqualTo(403);
        assertThat(response.json().text("message"))
                .isEqualTo(
                        "namespaces \"%s\" is forbidden: this namespace may not be deleted"
                                .formatted(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"configmaps/kube-root-ca.crt", "serviceaccounts/default"})
    void defaultObjectsOfANamespaceAreRestored(String what) throws InterruptedException {
        var path = "/api/v1/namespaces/kube-node-lease/" + what;
        Eventually.holds(() -> http.get(path).code() == 200);
        var uid = http.get(path).metadata().text("uid");

        assertThat(http.delete(path, "").code()).isEqualTo(200);

        Eventually.holds(() -> {
            var now = http.get(path);
            return now.code() == 200 && !now.metadata().text("uid").equals(uid);
        });
    }

    @Test
    void rootCertificateIsRestored() throws InterruptedException {
        var path = "/api/v1/namespaces/kube-public/configmaps/kube-root-ca.crt";
        Eventually.holds(() -> http.get(path).code() == 200);
        var right = http.get(path).json().objectOrEmpty("data");

        http.patch(path, "merge", "{\"data\":{\"ca.crt\":\"mine\"}}");

        Eventually.holds(() -> http.get(path).json().objectOrEmpty("data").equals(right));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/replicationcontrollers",
                "/apis/storage.k8s.io/v1/csistoragecapacities",
                "/apis/discovery.k8s.io/v1/endpointslices",
                "/apis/storage.k8s.io/v1/csinodes",
                "/apis/policy/v1/poddisruptionbudgets",
                "/api/v1/persistentvolumeclaims",
            })
    void kindsThatSchedulersWatchAreServed(String path) {
        assertThat(http.get(path).code()).isEqualTo(200);
    }

    @Test
    void replicationControllerSelectorDefaultsToTemplateLabels() {
        var made =
                http.post(
                        "/api/v1/namespaces/default/replicationcontrollers",
                        """
                        {"metadata": {"name": "old"}, "spec": {"template": {
                          "metadata": {"labels": {"app": "x"}},
                          "spec": {"containers": [{"name": "c", "image": "i"}]}}}}
                        """);

        assertThat(made.code()).isEqualTo(201);
        assertThat(made.json().objectOrEmpty("spec").objectOrEmpty("selector").text("app"))
                .isEqualTo("x");
        var scale = http.get("/api/v1/namespaces/default/replicationcontrollers/old/scale").json();
        assertThat(scale.objectOrEmpty("status").text("selector")).isEqualTo("app=x");
    }

    @Test
    void scalingIncrementsTheGeneration() {
        var sets = "/apis/apps/v1/namespaces/default/replicasets";
        http.post(
                sets,
                """
                {"metadata": {"name": "scaled"}, "spec": {"replicas": 1,
                  "selector": {"matchLabels": {"app": "x"}}, "template": {
                    "metadata": {"labels": {"app": "x"}},
                    "spec": {"containers": [{"name": "c", "image": "i"}]}}}}
                """);

        http.patch(sets + "/scaled/scale", "merge", "{\"spec\":{\"replicas\":3}}");

        assertThat(http.get(sets + "/scaled").metadata().number("generation")).hasValue(2);
    }

    @Test
    void endpointSlicesHoldAddressesOfTheirType() {
        var slice =
                """
                {"metadata": {"name": "s"}, "addressType": "IPv4",
                 "endpoints": [{"addresses": ["%s"]}], "ports": [{"port": 80}]}
                """;
        var path = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";

        assertThat(http.post(path, slice.formatted("10.0.0.1")).code()).isEqualTo(201);
        var refused = http.post(path, slice.formatted("fd00::1"));
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.json().text("message")).contains("endpoints[0].addresses[0]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"log", "exec", "attach", "portforward"})
    void podNodeSubresourcesRequireANode(String what) {
        var pods = "/api/v1/namespaces/kube-node-lease/pods";
        var pod =
                """
                {"metadata": {"name": "%s"},
                 "spec": {%s "containers": [{"name": "c", "image": "i"}]}}
                """;
        http.post(pods, pod.formatted(what + "-waits", ""));
        http.post(pods, pod.formatted(what + "-runs", "\"nodeName\": \"n1\","));

        var waits = http.get(pods + "/" + what + "-waits/" + what + "?command=true");
        if (what.equals("log")) {
            assertThat(waits.code()).isEqualTo(204);
        } else {
            assertThat(waits.json().text("message"))
                    .isEqualTo("pod %s-waits does not have a host assigned".formatted(what));
        }
        var nowhere = http.get(pods + "/" + what + "-runs/" + what + "?command=true");
        assertThat(nowhere.code()).isEqualTo(404);
        assertThat(nowhere.json().text("message")).isEqualTo("nodes \"n1\" not found");
    }

    @Test
    void invalidPatchIsExplained() {
        var path = "/api/v1/namespaces/default/configmaps";
        http.post(path, "{\"metadata\":{\"name\":\"m\"}}");

        var missing =
                http.patch(path + "/m", "json", "[{\"op\":\"remove\",\"path\":\"/data/nope\"}]");
        var wrongType = http.patch(path + "/m", "strategic-merge", "{\"data\":{\"x\":1}}");

        assertThat(missing.code()).isEqualTo(422);
        assertThat(missing.json().has("details")).isFalse();
        assertThat(missing.json().text("message")).contains("/data/nope");
        assertThat(wrongType.code()).isEqualTo(422);
        assertThat(wrongType.json().text("message"))
                .startsWith(" \"\" is invalid: patch: Invalid value: \"{\\\"data\\\"");
    }

    @Test
    void largeResponsesAreCompressedForAnyAcceptEncodingWithGzip() {
        var response =
                http.send("HEAD", "/openapi/v2", "", "Accept-Encoding", "deflate, gzip, br, zstd");

        assertThat(response.header("Content-Encoding")).isEqualTo("gzip");
    }
}
