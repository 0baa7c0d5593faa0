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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Deletion, eviction and node drain with kubectl.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KubectlDeletingTest {

    private static final String POD =
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: %s, labels: {app: x}}
            spec: {nodeName: n1, containers: [{name: c, image: busybox}]}
            """;

    private ApiServer server;
    private Kubectl kubectl;

    @BeforeAll
    void start(@TempDir Path directory, @TempDir Path home) {
        Kubectl.assumePresent();
        server = RunningServer.durable(directory);
        kubectl = new Kubectl(home, server.kubeconfig());
        kubectl.apply(Manifests.NODE);
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"background, true", "foreground, true", "orphan, false"})
    void cascadeDecidesOnDependents(String cascade, boolean goes) {
        var place = "--namespace=" + cascade;
        kubectl.ok("create", "namespace", cascade);
        kubectl.ok("create", "configmap", "owner", place);
        var uid = kubectl.ok("get", "cm", "owner", place, "-o", "jsonpath={.metadata.uid}");
        kubectl.apply(owned(cascade, uid));
        kubectl.ok("delete", "configmap", "owner", place, "--cascade=" + cascade);
        if (goes) {
            kubectl.ok("wait", "cm/owned", place, "--for=delete", "--timeout=20s");
        } else {
            assertThat(
                            kubectl.ok(
                                    "get",
                                    "cm",
                                    "owned",
                                    place,
                                    "-o",
                                    "jsonpath={.metadata.ownerReferences}"))
                    .isEmpty();
        }
    }

    private static String owned(String namespace, String uid) {
        return """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: owned
          namespace: %s
          ownerReferences:
          - {apiVersion: v1, kind: ConfigMap, name: owner, uid: %s, blockOwnerDeletion: true}
        """
                .formatted(namespace, uid);
    }

    @Test
    void boundPodsHaveAGracePeriod() {
        kubectl.ok("create", "namespace", "graceful");
        var place = "--namespace=graceful";
        kubectl.apply(POD.formatted("slow", "graceful"));
        kubectl.ok("delete", "pod", "slow", place, "--wait=false");
        assertThat(
                        kubectl.ok(
                                "get",
                                "pod",
                                "slow",
                                place,
                                "-o",
                                "jsonpath={.metadata.deletionGracePeriodSeconds}"))
                .isEqualTo("30");
        assertThat(kubectl.ok("get", "pod", "slow", place)).contains("Terminating");
        kubectl.ok("delete", "pod", "slow", place, "--grace-period=0", "--force");
        assertThat(kubectl.fails("get", "pod", "slow", place)).contains("NotFound");
    }

    @Test
    void deletesByLabelAndAll() {
        kubectl.ok("create", "namespace", "many");
        var place = "--namespace=many";
        for (var name : new String[] {"a", "b", "c"}) {
            kubectl.ok("create", "configmap", name, place);
        }
        kubectl.ok("label", "configmap", "a", "b", "x=y", place);
        assertThat(kubectl.ok("delete", "configmap", "-l", "x=y", place).lines()).hasSize(2);
        kubectl.ok("delete", "configmap", "--all", place);
        assertThat(kubectl.fails("get", "configmap", "c", place)).contains("NotFound");
        assertThat(kubectl.fails("delete", "configmap", "c", place)).contains("NotFound");
        kubectl.ok("delete", "configmap", "c", place, "--ignore-not-found");
    }

    @Test
    void finalizersBlockDeletionOfObjectsAndNamespaces() {
        kubectl.ok("create", "namespace", "held");
        var place = "--namespace=held";
        kubectl.ok("create", "configmap", "kept", place);
        kubectl.ok("create", "secret", "generic", "loose", place);
        patch(place, "{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}");
        kubectl.ok("delete", "namespace", "held", "--wait=false");
        kubectl.ok("wait", "secret/loose", place, "--for=delete", "--timeout=20s");
        assertThat(kubectl.ok("get", "namespace", "held")).contains("Terminating");
        assertThat(kubectl.ok("get", "cm", "kept", place, "-o", "yaml"))
                .contains("deletionTimestamp");
        assertThat(kubectl.fails("create", "configmap", "late", place))
                .contains("configmaps \"late\" is forbidden", "because it is being terminated");
        patch(place, "{\"metadata\":{\"finalizers\":null}}");
        kubectl.ok("wait", "namespace/held", "--for=delete", "--timeout=20s");
        assertThat(kubectl.fails("get", "namespace", "held")).contains("NotFound");
        assertThat(kubectl.fails("create", "configmap", "late", place))
                .contains("namespaces \"held\" not found");
    }

    private void patch(String place, String patch) {
        kubectl.ok("patch", "configmap", "kept", place, "--type=merge", "-p", patch);
    }

    @Test
    void nodesAreCordonedTaintedAndDrained() {
        kubectl.ok("create", "namespace", "drained");
        var place = "--namespace=drained";
        kubectl.apply(POD.formatted("guarded", "drained"));
        kubectl.ok(
                "patch",
                "pod",
                "guarded",
                place,
                "--subresource=status",
                "-p",
                """
                {"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}
                """);
        kubectl.ok("create", "pdb", "guard", place, "--selector=app=x", "--min-available=1");
        assertThat(kubectl.fails("drain", "n1", "--force", "--timeout=1s"))
                .contains("violate the pod's disruption budget");
        assertThat(kubectl.ok("get", "node", "n1")).contains("SchedulingDisabled");
        kubectl.ok("delete", "pdb", "guard", place);
        assertThat(kubectl.ok("drain", "n1", "--force", "--grace-period=0"))
                .contains("pod/guarded evicted", "node/n1 drained");
        assertThat(kubectl.fails("get", "pod", "guarded", place)).contains("NotFound");
        kubectl.ok("uncordon", "n1");
        kubectl.ok("taint", "node", "n1", "k=v:NoSchedule");
        assertThat(kubectl.ok("get", "node", "n1", "-o", "jsonpath={.spec.taints[0].key}"))
                .isEqualTo("k");
        kubectl.ok("taint", "node", "n1", "k-");
        assertThat(kubectl.ok("get", "node", "n1", "-o", "jsonpath={.spec.taints}")).isEmpty();
    }
}
