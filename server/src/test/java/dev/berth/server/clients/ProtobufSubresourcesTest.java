package dev.berth.server.clients;

import static dev.berth.server.clients.ProtobufHttp.PROTOBUF;
import static dev.berth.server.clients.ProtobufHttp.name;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.protobuf.GoMessages;
import dev.berth.schema.protobuf.ProtobufBytes;
import dev.berth.server.ApiServer;
import dev.berth.server.RunningServer;
import dev.berth.server.schema.SampleObjects;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Subresources, options and reviews in protobuf, with the bytes of Go clients.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProtobufSubresourcesTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";

    private ApiServer server;
    private Http http;
    private ProtobufHttp protobuf;

    @BeforeAll
    void start(@TempDir Path directory) {
        server = RunningServer.inMemory(directory, settings -> settings);
        http = Http.admin(server);
        protobuf = new ProtobufHttp(http);
        http.post("/api/v1/nodes", Manifests.NODE, "Content-Type", "application/yaml");
    }

    @AfterAll
    void stop() {
        http.close();
        server.close();
    }

    private ProtobufHttp.Response go(String method, String path, String object) {
        return protobuf.send(method, path, GoMessages.body(SampleObjects.object(object)));
    }

    private void pod(String name) {
        var made =
                go(
                        "POST",
                        PODS,
                        """
                        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s"},
                         "spec": {"containers": [{"name": "c", "image": "i"}]}}\
                        """
                                .formatted(name));
        assertThat(made.code()).isEqualTo(201);
    }

    @Test
    void podsAreBoundAndTheirStatusIsWritten() {
        pod("bound");
        var bound =
                go(
                        "POST",
                        PODS + "/bound/binding",
                        """
                        {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "bound"},
                         "target": {"apiVersion": "v1", "kind": "Node", "name": "n1"}}\
                        """);
        assertThat(bound.summary()).isEqualTo("201 %s Status".formatted(PROTOBUF));
        assertThat(http.get(PODS + "/bound").json().objectOrEmpty("spec").text("nodeName"))
                .isEqualTo("n1");
        var status =
                SampleObjects.object(
                        """
                        {"phase": "Running", "podIP": "10.0.0.7", "containerStatuses": [
                          {"name": "c", "ready": true, "restartCount": 0, "image": "i",
                           "imageID": "", "started": false,
                           "state": {"running": {"startedAt": "2026-01-31T12:00:00Z"}}}]}\
                        """);
        var pod = protobuf.get(PODS + "/bound").object().with("status", status);
        var response = protobuf.send("PUT", PODS + "/bound/status", GoMessages.body(pod));
        assertThat(response.summary()).isEqualTo("200 %s Pod".formatted(PROTOBUF));
        var container =
                http.get(PODS + "/bound")
                        .json()
                        .objectOrEmpty("status")
                        .objects("containerStatuses")
                        .getFirst();
        assertThat(container.number("restartCount")).hasValue(0);
        assertThat(container.text("imageID")).isEmpty();
        assertThat(container.flag("started")).contains(false);
        assertThat(container.flag("ready")).contains(true);
    }

    @Test
    void bindingsBindThePodOfTheirName() {
        pod("by-name");
        var bindings = PODS.replace("/pods", "/bindings");
        var binding =
                """
                {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "by-name"},
                 "target": {"apiVersion": "v1", "kind": "Node", "name": "n1"}}\
                """;
        assertThat(go("POST", bindings, binding).summary())
                .isEqualTo("201 %s Status".formatted(PROTOBUF));
        assertThat(http.get(PODS + "/by-name").json().objectOrEmpty("spec").text("nodeName"))
                .isEqualTo("n1");
        assertThat(http.post(bindings, binding).code()).isEqualTo(409);
        assertThat(http.post(bindings, binding.replace("by-name", "absent")).code()).isEqualTo(404);
        assertThat(http.post(bindings, binding.replace("by-name", "")).code()).isEqualTo(400);
        assertThat(http.post("/api/v1/bindings", binding).code()).isEqualTo(404);
        assertThat(http.get(bindings).code()).isEqualTo(405);
    }

    @Test
    void podsAreEvictedAndDeletedWithOptions() {
        pod("evicted");
        var eviction =
                go(
                        "POST",
                        PODS + "/evicted/eviction",
                        """
                        {"apiVersion": "policy/v1", "kind": "Eviction",
                         "metadata": {"name": "evicted", "namespace": "default"},
                         "deleteOptions": {"gracePeriodSeconds": 0}}\
                        """);
        assertThat(eviction.summary()).isEqualTo("201 %s Status".formatted(PROTOBUF));
        assertThat(http.get(PODS + "/evicted").code()).isEqualTo(404);
        pod("deleted");
        var uid = protobuf.get(PODS + "/deleted").object().objectOrEmpty("metadata").text("uid");
        var wrong = options("0123").message(2, new ProtobufBytes().text(1, "0123"));
        assertThat(delete("deleted", wrong).summary())
                .isEqualTo("409 %s Status Conflict".formatted(PROTOBUF));
        var response = delete("deleted", options(uid));
        assertThat(response.summary()).isEqualTo("200 %s Pod".formatted(PROTOBUF));
        assertThat(http.get(PODS + "/deleted").code()).isEqualTo(404);
    }

    /// DeleteOptions with a grace period of zero and the UID as a precondition.
    private static ProtobufBytes options(String uid) {
        return new ProtobufBytes()
                .number(1, 0)
                .message(2, new ProtobufBytes().text(1, uid))
                .text(4, "Background");
    }

    private ProtobufHttp.Response delete(String pod, ProtobufBytes options) {
        return protobuf.send(
                "DELETE", PODS + "/" + pod, ProtobufBytes.body("v1", "DeleteOptions", options));
    }

    @Test
    void deploymentsAreScaled() {
        var path = "/apis/apps/v1/namespaces/default/deployments";
        http.post(path, Manifests.DEPLOYMENT, "Content-Type", "application/yaml");
        var scale = protobuf.get(path + "/web/scale");
        assertThat(scale.summary()).isEqualTo("200 %s Scale".formatted(PROTOBUF));
        var changed = scale.object().with("spec", JsonObject.of("replicas", Json.of(0)));
        var response = protobuf.send("PUT", path + "/web/scale", GoMessages.body(changed));
        assertThat(response.summary()).isEqualTo("200 %s Scale".formatted(PROTOBUF));
        assertThat(http.get(path + "/web").json().objectOrEmpty("spec").number("replicas"))
                .hasValue(0);
        var table =
                http.get(
                                path + "/web/scale",
                                "Accept",
                                "application/json;as=Table;v=v1;g=meta.k8s.io")
                        .json();
        assertThat(table.objects("columnDefinitions"))
                .extracting(column -> column.text("name"))
                .containsExactly("Name", "Desired", "Available", "Age");
        assertThat(table.objects("rows").getFirst().items("cells"))
                .startsWith(Json.of("web"), Json.of(0), Json.of(0));
    }

    @Test
    void tokensOfServiceAccountsAreRequestedAndReviewed() {
        var accounts = "/api/v1/namespaces/default/serviceaccounts";
        go(
                "POST",
                accounts,
                """
                {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "robot"}}\
                """);
        var request =
                go(
                        "POST",
                        accounts + "/robot/token",
                        """
                        {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
                         "spec": {"audiences": [], "expirationSeconds": 600}}\
                        """);
        assertThat(request.summary()).isEqualTo("201 %s TokenRequest".formatted(PROTOBUF));
        var token = request.object().objectOrEmpty("status").text("token");
        assertThat(token).isNotEmpty();
        var review =
                go(
                        "POST",
                        "/apis/authentication.k8s.io/v1/tokenreviews",
                        """
                        {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview",
                         "spec": {"token": "%s"}}\
                        """
                                .formatted(token));
        var status = review.object().objectOrEmpty("status");
        assertThat(review.code()).isEqualTo(201);
        assertThat(status.flag("authenticated")).contains(true);
        assertThat(status.objectOrEmpty("user").text("username"))
                .isEqualTo("system:serviceaccount:default:robot");
    }

    @Test
    void accessIsReviewed() {
        var group = "/apis/authorization.k8s.io/v1/";
        var review =
                go(
                        "POST",
                        group + "subjectaccessreviews",
                        """
                        {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview",
                         "spec": {"user": "ada", "groups": ["system:masters"],
                          "extra": {"scopes": ["a"]},
                          "resourceAttributes": {"verb": "get", "resource": "pods"}}}\
                        """);
        assertThat(review.summary()).isEqualTo("201 %s SubjectAccessReview".formatted(PROTOBUF));
        assertThat(review.object().objectOrEmpty("status").flag("allowed")).contains(true);
        var denied =
                go(
                        "POST",
                        group + "subjectaccessreviews",
                        """
                        {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview",
                         "spec": {"user": "ada", "nonResourceAttributes":
                          {"path": "/metrics", "verb": "get"}}}\
                        """);
        assertThat(denied.object().objectOrEmpty("status").flag("allowed")).contains(false);
        var self =
                go(
                        "POST",
                        group + "selfsubjectaccessreviews",
                        """
                        {"apiVersion": "authorization.k8s.io/v1",
                         "kind": "SelfSubjectAccessReview",
                         "spec": {"resourceAttributes": {"verb": "list", "resource": "nodes"}}}\
                        """);
        assertThat(self.object().objectOrEmpty("status").flag("allowed")).contains(true);
    }

    @Test
    void selfSubjectReviewReturnsTheUser() {
        var self =
                go(
                        "POST",
                        "/apis/authentication.k8s.io/v1/selfsubjectreviews",
                        """
                        {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}\
                        """);
        assertThat(self.summary()).isEqualTo("201 %s SelfSubjectReview".formatted(PROTOBUF));
        assertThat(self.object().objectOrEmpty("status").objectOrEmpty("userInfo").text("username"))
                .isEqualTo("admin");
    }

    @Test
    void patchResponsesAreProtobufAndPatchBodiesAreNot() {
        pod("patched");
        var patched = protobuf.send("PATCH", PODS + "/patched", new byte[] {'k', '8', 's', 0});
        assertThat(patched.code()).isEqualTo(415);
        assertThat(name(protobuf.get(PODS + "/patched").object())).isEqualTo("patched");
    }
}
