package dev.berth.app.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.CommandRun;
import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.inprocess.EmbeddedCluster;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.StoreChoice;
import dev.berth.server.access.User;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The manifests of `examples/driver-deployment`.
class DriverDeploymentTest {

    private static final Path EXAMPLE = Path.of("..", "examples", "driver-deployment");
    private static final User ADMINISTRATOR = User.of("admin", "system:masters");
    private static final User DRIVER =
            User.of(
                    "system:serviceaccount:greeter-driver:greeter-driver",
                    "system:serviceaccounts",
                    "system:authenticated");
    private static final ResourcePath REVIEWS =
            new ResourcePath("authorization.k8s.io", "v1", "selfsubjectaccessreviews");
    private static final Map<String, ResourcePath> KINDS =
            Map.of(
                    "Namespace", new ResourcePath("", "v1", "namespaces"),
                    "ServiceAccount", new ResourcePath("", "v1", "serviceaccounts"),
                    "ClusterRole",
                            new ResourcePath("rbac.authorization.k8s.io", "v1", "clusterroles"),
                    "ClusterRoleBinding",
                            new ResourcePath(
                                    "rbac.authorization.k8s.io", "v1", "clusterrolebindings"),
                    "DeviceClass", new ResourcePath("resource.k8s.io", "v1", "deviceclasses"),
                    "DaemonSet", new ResourcePath("apps", "v1", "daemonsets"));

    @TempDir private Path directory = Path.of("");

    @Test
    void theManifestsAreValid() {
        var lint = CommandRun.of("lint", EXAMPLE.toString());
        assertThat(lint.exitCode()).as(lint.out() + lint.err()).isZero();
    }

    @Test
    void theRoleAllowsWhatDriversDo() throws Exception {
        try (var server =
                ApiServer.start(
                        ServerSettings.in(directory)
                                .withStore(new StoreChoice.Memory())
                                .withAddress("127.0.0.1", 0))) {
            apply(new EmbeddedCluster(server, ADMINISTRATOR, "test"));
            var driver = new EmbeddedCluster(server, DRIVER, "test");
            for (var verb : List.of("list", "watch", "create", "update", "delete")) {
                assertThat(mayDo(driver, verb, "resourceslices", "", "")).as(verb).isTrue();
            }
            assertThat(mayDo(driver, "get", "resourceclaims", "", "")).isTrue();
            assertThat(mayDo(driver, "update", "resourceclaims", "status", "")).isTrue();
            var own = "greeter.example.com";
            var verb = "associated-node:update";
            assertThat(mayDo(driver, verb, "resourceclaims", "driver", own)).isTrue();
            assertThat(mayDo(driver, verb, "resourceclaims", "driver", "other.com")).isFalse();
            assertThat(mayDo(driver, "delete", "resourceclaims", "", "")).isFalse();
        }
    }

    private static void apply(Cluster cluster) throws Exception {
        var text = Files.readString(EXAMPLE.resolve("driver.yaml"));
        if (!(YamlReader.read(text) instanceof ParseResult.Documents(var documents))) {
            throw new AssertionError("driver.yaml is not YAML");
        }
        for (var document : documents) {
            if (document.root() instanceof JsonObject object) {
                var address = Objects.requireNonNull(KINDS.get(object.text("kind")));
                var namespace = object.objectOrEmpty("metadata").text("namespace");
                var outcome = cluster.send(Request.Create.of(address, namespace, object));
                assertThat(outcome.isDone()).as(outcome.message()).isTrue();
            }
        }
    }

    private static boolean mayDo(
            Cluster cluster, String verb, String resource, String subresource, String name) {
        var review =
                """
                apiVersion: authorization.k8s.io/v1
                kind: SelfSubjectAccessReview
                spec:
                  resourceAttributes:
                    group: resource.k8s.io
                    verb: "%s"
                    resource: %s
                    subresource: "%s"
                    name: "%s"
                """
                        .formatted(verb, resource, subresource, name);
        if (YamlReader.read(review) instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject object
                && cluster.send(Request.Create.of(REVIEWS, "", object))
                        instanceof RequestResult.Done(var answer)) {
            return answer.objectOrEmpty("status").flag("allowed").orElse(false);
        }
        throw new AssertionError("no answer to " + review);
    }
}
