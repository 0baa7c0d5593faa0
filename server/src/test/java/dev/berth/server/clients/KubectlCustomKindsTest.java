package dev.berth.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.ApiServer;
import dev.berth.server.RunningServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Custom resources and authorization with kubectl.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KubectlCustomKindsTest {

    private ApiServer server;
    private Kubectl kubectl;

    @BeforeAll
    void start(@TempDir Path directory, @TempDir Path home) {
        Kubectl.assumePresent();
        server = RunningServer.durable(directory);
        kubectl = new Kubectl(home, server.kubeconfig());
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void customKindsAreServedLikeOthers() {
        kubectl.apply(Manifests.WIDGETS);
        kubectl.ok("wait", "crd/widgets.example.com", "--for=condition=Established");
        assertThat(kubectl.apply(Manifests.WIDGET)).isEqualTo("widget.example.com/w created");
        assertThat(kubectl.apply(Manifests.WIDGET)).isEqualTo("widget.example.com/w unchanged");
        assertThat(row()).matches("w +3");
        assertThat(patch("", "{\"spec\":{\"size\":0}}").err())
                .contains("spec.size in body should be greater than or equal to 1");
        assertThat(patch("", "{\"spec\":{\"color\":\"green\"}}").err())
                .contains("Unsupported value: \"green\": supported values: \"red\", \"blue\"");
        patch("status", "{\"status\":{\"phase\":\"Ready\"}}");
        assertThat(row()).matches("w +3 +Ready");
        kubectl.ok("scale", "widget/w", "--replicas=7");
        assertThat(row()).matches("w +7 +Ready");
        assertThat(kubectl.ok("explain", "widget.spec")).contains("How large it is.", "-required-");
        var other = kubectl.file("other.yaml", Manifests.WIDGET.replace("size: 3", "size: 4"));
        assertThat(kubectl.fails("apply", "--server-side", "-f", other))
                .contains("with subresource \"scale\"", ".spec.size");
        assertThat(kubectl.run("diff", "-f", other).exit()).isEqualTo(1);
        assertThat(kubectl.ok("apply", "-f", other)).isEqualTo("widget.example.com/w configured");
        var odd =
                Manifests.WIDGET
                        .replace("size: 3", "size: 3, foo: 1")
                        .replace("name: w", "name: v");
        assertThat(kubectl.fails("create", "-f", kubectl.file("odd.yaml", odd)))
                .contains("strict decoding error: unknown field \"spec.foo\"");
        kubectl.ok("delete", "crd", "widgets.example.com", "--timeout=20s");
        assertThat(kubectl.fails("get", "--raw", "/apis/example.com/v1/widgets"))
                .contains("NotFound");
    }

    private String row() {
        return kubectl.ok("get", "wd", "--no-headers").strip();
    }

    private Kubectl.Run patch(String subresource, String patch) {
        return kubectl.run(
                "patch",
                "widget",
                "w",
                "--type=merge",
                "--subresource=" + subresource,
                "-p",
                patch);
    }

    @Test
    void permissionsAreReportedAndEnforced() {
        kubectl.ok("create", "serviceaccount", "reader");
        kubectl.ok("create", "role", "reads", "--verb=get,list", "--resource=pods");
        kubectl.ok(
                "create",
                "rolebinding",
                "reads",
                "--role=reads",
                "--serviceaccount=default:reader");
        var reader = "--as=system:serviceaccount:default:reader";
        assertThat(kubectl.ok("auth", "can-i", "create", "pods")).isEqualTo("yes");
        assertThat(kubectl.ok("auth", "can-i", "list", "pods", reader)).isEqualTo("yes");
        assertThat(kubectl.fails("auth", "can-i", "delete", "pods", reader)).isEqualTo("no");
        assertThat(kubectl.ok("auth", "can-i", "--list", reader))
                .containsPattern("pods +\\[] +\\[] +\\[get list]");
        assertThat(kubectl.ok("auth", "whoami")).contains("kubernetes-admin", "system:masters");
        assertThat(kubectl.ok("auth", "whoami", reader)).contains("default:reader");
        assertThat(kubectl.fails("get", "secrets", reader))
                .isEqualTo(
                        "Error from server (Forbidden): secrets is forbidden: User"
                                + " \"system:serviceaccount:default:reader\" cannot list resource"
                                + " \"secrets\" in API group \"\" in the namespace \"default\"");
        var token = kubectl.ok("create", "token", "reader", "--duration=10m");
        var anonymous = kubectl.file("anonymous", withoutUsers());
        assertThat(kubectl.run("--kubeconfig", anonymous, "--token", token, "get", "pods").err())
                .contains("No resources found");
        assertThat(kubectl.fails("--kubeconfig", anonymous, "--token", token, "get", "nodes"))
                .contains("Forbidden");
        assertThat(kubectl.fails("--kubeconfig", anonymous, "--token", token + "x", "get", "pods"))
                .contains("Unauthorized");
    }

    /// A kubeconfig with the server and without credentials.
    private String withoutUsers() {
        return """
        apiVersion: v1
        kind: Config
        clusters:
        - name: berth
          cluster: {server: "%s", insecure-skip-tls-verify: true}
        contexts: [{name: berth, context: {cluster: berth, user: ""}}]
        current-context: berth
        """
                .formatted(server.uri());
    }

    @Test
    void eventsAreShownWithTheirObjects() {
        kubectl.ok("create", "configmap", "subject");
        kubectl.apply(
                """
                apiVersion: v1
                kind: Event
                metadata: {name: subject.1, namespace: default}
                involvedObject:
                  {apiVersion: v1, kind: ConfigMap, name: subject, namespace: default}
                type: Warning
                reason: Odd
                message: something is odd
                source: {component: test}
                firstTimestamp: "2026-01-01T00:00:00Z"
                lastTimestamp: "2026-01-01T00:00:00Z"
                count: 1
                """);
        assertThat(kubectl.ok("events")).contains("ConfigMap/subject", "something is odd");
        assertThat(kubectl.ok("events", "--for=configmap/subject", "--types=Warning"))
                .contains("Odd");
        assertThat(kubectl.ok("get", "events", "--field-selector=involvedObject.name=subject"))
                .contains("something is odd");
        assertThat(kubectl.ok("get", "events.v1.events.k8s.io", "-o", "jsonpath={.items[0].note}"))
                .isEqualTo("something is odd");
    }
}
