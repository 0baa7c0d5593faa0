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

/// Reads with kubectl: get, describe, explain, api-resources.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KubectlReadingTest {

    private static final String PODS =
            """
            apiVersion: v1
            kind: List
            items:
            - apiVersion: v1
              kind: Pod
              metadata: {name: one, labels: {app: x, nr: "1"}}
              spec: {nodeName: n1, containers: [{name: c, image: busybox}]}
            - apiVersion: v1
              kind: Pod
              metadata: {name: two, labels: {app: x, nr: "2"}}
              spec: {nodeName: n1, containers: [{name: c, image: busybox}]}
            - apiVersion: v1
              kind: Pod
              metadata: {name: three, labels: {app: other}}
              spec: {containers: [{name: c, image: busybox}]}
            """;

    private ApiServer server;
    private Kubectl kubectl;

    @BeforeAll
    void start(@TempDir Path directory, @TempDir Path home) {
        Kubectl.assumePresent();
        server = RunningServer.durable(directory);
        kubectl = new Kubectl(home, server.kubeconfig());
        kubectl.apply(Manifests.NODE);
        kubectl.apply(Manifests.CLAIMS);
        assertThat(kubectl.apply(PODS)).contains("pod/one created", "pod/three created");
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void outputFormats() {
        assertThat(kubectl.ok("get", "pods").lines().findFirst().orElse(""))
                .matches("NAME +READY +STATUS +RESTARTS +AGE");
        assertThat(kubectl.ok("get", "pods", "-o", "wide")).contains("NODE", "n1");
        assertThat(kubectl.ok("get", "pods", "-o", "name").lines())
                .containsExactly("pod/one", "pod/three", "pod/two");
        assertThat(kubectl.ok("get", "pod", "one", "-o", "yaml"))
                .contains("nodeName: n1", "uid:")
                .doesNotContain("managedFields");
        assertThat(kubectl.ok("get", "pod", "one", "-o", "yaml", "--show-managed-fields"))
                .contains("managedFields", "manager: kubectl-client-side-apply");
        assertThat(kubectl.ok("get", "pods", "-o", "jsonpath={.items[*].spec.nodeName}"))
                .isEqualTo("n1 n1");
        assertThat(kubectl.ok("get", "pods", "--sort-by=.metadata.labels.app", "-L", "app"))
                .contains("APP", "other");
        assertThat(kubectl.ok("get", "pods", "-A", "--chunk-size=1", "-o", "name").lines())
                .hasSize(3);
    }

    @Test
    void selectors() {
        assertThat(kubectl.ok("get", "pods", "-o", "name", "-l", "app=x").lines())
                .containsExactly("pod/one", "pod/two");
        assertThat(kubectl.ok("get", "pods", "-o", "name", "-l", "app in (x,other),nr!=2").lines())
                .containsExactly("pod/one", "pod/three");
        assertThat(kubectl.ok("get", "pods", "-o", "name", "-l", "!nr")).isEqualTo("pod/three");
        assertThat(kubectl.ok("get", "pods", "-o", "name", "--field-selector=spec.nodeName=n1"))
                .isEqualTo("pod/one\npod/two");
        assertThat(kubectl.ok("get", "pods", "-o", "name", "--field-selector=metadata.name!=one"))
                .isEqualTo("pod/three\npod/two");
        assertThat(kubectl.fails("get", "pods", "--field-selector", "spec.color=red"))
                .contains("field label not supported: spec.color");
        assertThat(kubectl.fails("get", "pods", "-l", "a in")).contains("unable to parse");
        assertThat(kubectl.fails("get", "pod", "four"))
                .isEqualTo("Error from server (NotFound): pods \"four\" not found");
        assertThat(kubectl.fails("get", "nonsense")).contains("doesn't have a resource type");
    }

    @Test
    void everyVersionOfResourceGroupIsServed() {
        for (var version : new String[] {"v1", "v1beta2", "v1beta1"}) {
            var kind = "resourceclaims.%s.resource.k8s.io".formatted(version);
            assertThat(kubectl.ok("get", kind, "claim", "-o", "jsonpath={.apiVersion}"))
                    .isEqualTo("resource.k8s.io/" + version);
        }
        assertThat(
                        kubectl.ok(
                                "get",
                                "resourceclaims.v1beta1.resource.k8s.io",
                                "claim",
                                "-o",
                                "jsonpath={.spec.devices.requests[0].deviceClassName}"))
                .isEqualTo("gpu.example.com");
        assertThat(kubectl.run("get", "devicetaintrules.v1alpha3.resource.k8s.io").err())
                .contains("No resources found");
        assertThat(kubectl.ok("get", "resourceclaims,resourceslices,deviceclasses"))
                .contains("STATE", "pending", "DRIVER", "gpu.example.com");
    }

    @Test
    void describe() {
        assertThat(kubectl.ok("describe", "pod", "one")).contains("Node:", "n1", "busybox");
        assertThat(kubectl.ok("describe", "node", "n1"))
                .contains("Allocatable:", "Non-terminated Pods:", "one", "two");
        assertThat(kubectl.ok("describe", "resourceclaim", "claim"))
                .contains("Device Class Name:  gpu.example.com");
    }

    @Test
    void explain() {
        assertThat(kubectl.ok("explain", "pod.spec.nodeName")).contains("FIELD: nodeName <string>");
        assertThat(kubectl.ok("explain", "resourceclaim.spec.devices.requests"))
                .contains("exactly", "firstAvailable");
        var old = "--api-version=resource.k8s.io/v1beta1";
        assertThat(kubectl.ok("explain", "resourceclaim.spec.devices.requests", old))
                .contains("VERSION:    v1beta1", "deviceClassName");
        assertThat(kubectl.ok("explain", "deployment", "--recursive")).contains("maxSurge");
        assertThat(kubectl.fails("explain", "pod.spec.nothing")).contains("does not exist");
    }

    @Test
    void apiResources() {
        assertThat(kubectl.ok("api-versions").lines())
                .contains(
                        "v1",
                        "apps/v1",
                        "resource.k8s.io/v1",
                        "resource.k8s.io/v1beta2",
                        "resource.k8s.io/v1beta1",
                        "resource.k8s.io/v1alpha3");
        assertThat(kubectl.ok("api-resources", "--verbs=list", "-o", "name").lines())
                .contains("pods", "resourceslices.resource.k8s.io", "jobs.batch");
        assertThat(kubectl.ok("version")).contains("Server Version: v1.37");
        assertThat(kubectl.ok("get", "--raw", "/readyz")).isEqualTo("ok");
        assertThat(kubectl.ok("get", "--raw", "/apis/resource.k8s.io")).contains("v1beta2");
        assertThat(kubectl.ok("cluster-info")).contains("is running at");
    }

    @Test
    void watchPrintsChanges() throws InterruptedException {
        try (var watch = kubectl.start("get", "configmaps", "-w", "--output-watch-events")) {
            Eventually.holds(() -> watch.printed().contains("kube-root-ca.crt"));
            kubectl.ok("create", "configmap", "seen");
            kubectl.ok("label", "configmap", "seen", "a=b");
            kubectl.ok("delete", "configmap", "seen");
            Eventually.holds(() -> watch.printed().contains("DELETED"));
            assertThat(watch.printed().lines().filter(line -> line.contains("seen")))
                    .hasSize(3)
                    .allMatch(line -> line.matches("(ADDED|MODIFIED|DELETED) +seen .*"));
        }
    }

    @Test
    void printedListsCanBeApplied() {
        var list = kubectl.ok("get", "pods", "-o", "yaml");
        var run = kubectl.run("apply", "-f", kubectl.file("list.yaml", list));
        assertThat(run.exit()).as("%s", run).isZero();
        assertThat(run.out()).contains("pod/one", "pod/two", "pod/three");
    }
}
