package dev.berth.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import dev.berth.model.json.JsonObject;
import dev.berth.server.ApiServer;
import dev.berth.server.RunningServer;
import dev.berth.server.store.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// CustomResourceDefinitions whose group is built in are stored and never served.
class BuiltInGroupDefinitionsTest {

    private static final String DEFINITIONS =
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";

    @TempDir private Path directory;

    private static String definition(String plural, String kind, String group, String version) {
        return """
        {"metadata":{"name":"%1$s.%3$s","annotations":{
        "api-approved.kubernetes.io":"https://github.com/kubernetes/kubernetes/pull/1"}},
        "spec":{"group":"%3$s","scope":"Namespaced","names":{"plural":"%1$s","kind":"%2$s"},
        "versions":[{"name":"%4$s","served":true,"storage":true,"schema":{"openAPIV3Schema":
        {"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}
        """
                .formatted(plural, kind, group, version);
    }

    private static List<String> conditions(JsonObject definition) {
        return definition.objectOrEmpty("status").objects("conditions").stream()
                .map(c -> "%s=%s %s".formatted(c.text("type"), c.text("status"), c.text("reason")))
                .collect(Collectors.toList());
    }

    @ParameterizedTest
    @CsvSource({
        "clusterrolebindings, ClusterRoleBinding, rbac.authorization.k8s.io, v1",
        "clusterrolebindings, ClusterRoleBinding, rbac.authorization.k8s.io, v2",
        "gadgets, Gadget, rbac.authorization.k8s.io, v1",
        "evictionrequests, EvictionRequest, lifecycle.k8s.io, v1alpha1",
    })
    void definitionIsAcceptedButNeverServed(
            String plural, String kind, String group, String version) throws InterruptedException {
        try (var server = RunningServer.inMemory(directory, settings -> settings);
                var http = Http.admin(server)) {
            var before = http.get(RBAC + "/clusterrolebindings").names();

            var created = http.post(DEFINITIONS, definition(plural, kind, group, version));

            assertThat(created.code()).isEqualTo(201);
            assertThat(conditions(created.json()))
                    .containsExactly(
                            "NamesAccepted=False BuiltInGroup",
                            "Established=False NotAccepted",
                            "KubernetesAPIApprovalPolicyConformant=True ApprovedAnnotation");
            awaitDefinitionsProcessed(http);
            var inNamespace = "/apis/%s/%s/namespaces/default/%s".formatted(group, version, plural);
            assertThat(http.get(inNamespace).code()).isEqualTo(404);
            assertThat(http.get(RBAC + "/clusterrolebindings").names()).isEqualTo(before);

            http.delete(DEFINITIONS + "/" + plural + "." + group, "");
            awaitDefinitionsProcessed(http);
            assertThat(http.get(RBAC + "/clusterrolebindings").names()).isEqualTo(before);
        }
    }

    /// Waits until the server has processed all definitions that were written before: definitions
    /// are processed in order, so a later one that is served is proof.
    private static void awaitDefinitionsProcessed(Http http) throws InterruptedException {
        var plural = "probes" + http.get(DEFINITIONS).names().size();
        http.post(DEFINITIONS, definition(plural, "P" + plural, "example.com", "v1"));
        Eventually.holds(() -> http.get("/apis/example.com/v1/" + plural).code() == 200);
    }

    @Test
    void escalationCheckOfRoleBindingsSurvivesADefinitionOfTheSameName()
            throws InterruptedException {
        try (var server = RunningServer.inMemory(directory, settings -> settings);
                var http = Http.admin(server);
                var mallory = Http.as(server, "mallory", List.of())) {
            http.post(
                    RBAC + "/namespaces/default/rolebindings",
                    """
                    {"metadata":{"name":"mallory"},"roleRef":{"apiGroup":
                    "rbac.authorization.k8s.io","kind":"ClusterRole","name":"admin"},"subjects":[
                    {"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"mallory"}]}
                    """);
            http.post(
                    DEFINITIONS,
                    definition("rolebindings", "RoleBinding", "rbac.authorization.k8s.io", "v1"));
            awaitDefinitionsProcessed(http);

            var binding =
                    mallory.post(RBAC + "/namespaces/default/rolebindings", binding("default"));

            assertThat(binding.code()).isEqualTo(403);
        }
    }

    private static String binding(String namespace) {
        return """
        {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding",
        "metadata":{"name":"own","namespace":"%s"},"roleRef":{"apiGroup":
        "rbac.authorization.k8s.io","kind":"ClusterRole","name":"cluster-admin"},"subjects":[
        {"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"mallory"}]}
        """
                .formatted(namespace);
    }

    @Test
    void definitionsOfEarlierVersionsAreNotServedAfterTheNextStart() {
        try (var server = RunningServer.durable(directory)) {
            var stored =
                    definition(
                                    "clusterrolebindings",
                                    "ClusterRoleBinding",
                                    "rbac.authorization.k8s.io",
                                    "v1")
                            .replaceFirst(
                                    "\\{",
                                    """
                                    {"status":{"conditions":[{"type":"NamesAccepted",
                                    "status":"True"},{"type":"Established","status":"True"}]},
                                    """);
            put(
                    server,
                    new ObjectKey(
                            "apiextensions.k8s.io/customresourcedefinitions",
                            "",
                            "clusterrolebindings.rbac.authorization.k8s.io"),
                    stored);
            put(
                    server,
                    new ObjectKey(
                            "rbac.authorization.k8s.io/clusterrolebindings", "default", "own"),
                    binding("default"));
        }
        try (var server = RunningServer.durable(directory);
                var http = Http.admin(server);
                var mallory = Http.as(server, "mallory", List.of())) {
            var definition =
                    http.get(DEFINITIONS + "/clusterrolebindings.rbac.authorization.k8s.io");

            assertThat(conditions(definition.json()))
                    .contains("NamesAccepted=False BuiltInGroup", "Established=False NotAccepted");
            assertThat(http.get(RBAC + "/clusterrolebindings/cluster-admin").code()).isEqualTo(200);
            assertThat(mallory.get("/api/v1/namespaces/kube-system/secrets").code()).isEqualTo(403);
        }
    }

    private static void put(ApiServer server, ObjectKey key, String object) {
        server.registry().store().create(key, object.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "https://github.com/kubernetes/kubernetes/pull/1|201",
                "unapproved, experimental only|201",
                "yes|422",
                "/pull/1|422",
            })
    void kubernetesGroupsRequireTheApprovalAnnotation(String annotation, int code) {
        try (var server = RunningServer.inMemory(directory, settings -> settings);
                var http = Http.admin(server)) {
            var body =
                    definition("gadgets", "Gadget", "gadgets.x.k8s.io", "v1")
                            .replace("https://github.com/kubernetes/kubernetes/pull/1", annotation);

            assertThat(http.post(DEFINITIONS, body).code()).isEqualTo(code);
        }
    }
}
