package dev.berth.control.events;

import static dev.berth.control.events.EventStoryCluster.NODES;
import static dev.berth.control.events.EventStoryCluster.PODS;
import static dev.berth.control.events.EventStoryCluster.QUOTAS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ResourcePath;
import dev.berth.model.codec.Kinds;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Events of nodes without heartbeats, of evictions, and of claims that cannot be created.
class NodeAndDeviceEventsTest {

    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);
    private static final ResourcePath TEMPLATES = ResourcePath.of(Kinds.RESOURCE_CLAIM_TEMPLATE);
    private static final ResourcePath SLICES = ResourcePath.of(Kinds.RESOURCE_SLICE);

    @TempDir Path directory = Path.of("");
    private EventStoryCluster cluster;

    @BeforeEach
    void open() {
        cluster = new EventStoryCluster(directory);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private void node() {
        nodeWithoutLease();
        cluster.create(
                ResourcePath.LEASES,
                "kube-node-lease",
                """
                apiVersion: coordination.k8s.io/v1
                kind: Lease
                metadata: {name: node-1}
                spec: {holderIdentity: node-1, renewTime: "2026-11-18T12:00:00.000000Z"}
                """);
    }

    private void nodeWithoutLease() {
        cluster.create(
                NODES,
                "",
                """
                apiVersion: v1
                kind: Node
                metadata: {name: node-1}
                status:
                  allocatable: {cpu: 4, pods: 10}
                  conditions: [{type: Ready, status: "True"}]
                """);
    }

    private void heartbeat(int second) {
        var time = "2026-11-18T12:01:%02d.000000Z".formatted(second);
        cluster.patch(
                ResourcePath.LEASES,
                "kube-node-lease",
                "node-1",
                "",
                EventStoryCluster.tree("spec: {renewTime: \"%s\"}".formatted(time)));
    }

    private void pod(String name, String spec) {
        cluster.create(
                PODS,
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  containers: [{name: main, image: x}]
                  %s
                """
                        .formatted(name, spec));
    }

    private void runningPod(int tolerationSeconds) {
        pod(
                "p",
                "tolerations: [{operator: Exists, effect: NoExecute, tolerationSeconds: %d}]"
                        .formatted(tolerationSeconds));
        cluster.bind("p", "node-1");
        cluster.ready("p");
        cluster.until("registered", () -> !cluster.events("Node", "node-1").isEmpty());
    }

    @Test
    void nodeWithoutHeartbeatIsNotReadyAndItsPodsAreEvicted() {
        node();
        runningPod(30);
        cluster.advance(Duration.ofSeconds(41));
        cluster.until(
                "pod is not ready", () -> cluster.events("Pod", "p").contains("NodeNotReady"));
        assertThat(cluster.condition(PODS, "p", "Ready")).startsWith("False");
        cluster.advance(Duration.ofSeconds(31));
        cluster.until("eviction", () -> cluster.events("Pod", "p").contains("Eviction"));

        assertThat(cluster.events("Node", "node-1"))
                .isEqualTo(
                        """
                        Normal NodeNotReady node-controller
                            Node node-1 status is now: NodeNotReady
                        Normal RegisteredNode node-controller
                            Node node-1 event: Registered Node node-1 in Controller
                        """);
        assertThat(cluster.events("Pod", "p"))
                .isEqualTo(
                        """
                        Normal TaintManagerEviction taint-eviction-controller
                            Marking for deletion Pod default/p
                        Warning NodeNotReady node-controller
                            Node is not ready
                        """);
    }

    @Test
    void evictionIsCancelledWhenTheNodeReturns() {
        node();
        runningPod(3_000);
        cluster.advance(Duration.ofSeconds(41));
        cluster.until(
                "pod is not ready", () -> cluster.events("Pod", "p").contains("NodeNotReady"));
        heartbeat(1);
        cluster.patch(
                NODES,
                "",
                "node-1",
                "status",
                EventStoryCluster.tree("status: {conditions: [{type: Ready, status: \"True\"}]}"));
        cluster.until("cancellation", () -> cluster.events("Pod", "p").contains("Cancelling"));
        assertThat(cluster.events("Pod", "p"))
                .contains(
                        "Normal TaintManagerEviction taint-eviction-controller\n"
                                + "    Cancelling deletion"
                                + " of Pod default/p");
    }

    @Test
    void deletedNodeIsRecorded() {
        node();
        cluster.until("registered", () -> !cluster.events("Node", "node-1").isEmpty());
        cluster.delete(NODES, "", "node-1");
        cluster.until("removed", () -> cluster.events("Node", "node-1").contains("Removing"));
        assertThat(cluster.events("Node", "node-1"))
                .isEqualTo(
                        """
                        Normal RegisteredNode node-controller
                            Node node-1 event: Registered Node node-1 in Controller
                        Normal RemovingNode node-controller
                            Node node-1 event: Removing Node node-1 from Controller
                        """);
    }

    private void podWithDevice() {
        cluster.create(
                CLAIMS,
                """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: c}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
                """);
        pod("p", "resourceClaims: [{name: gpu, resourceClaimName: c}]");
        var uid = cluster.get(PODS, "p").objectOrEmpty("metadata").text("uid");
        cluster.patchStatus(
                CLAIMS,
                "c",
                """
                status:
                  allocation:
                    devices: {results: [{request: gpu, driver: d, pool: p, device: a}]}
                  reservedFor: [{resource: pods, name: p, uid: %s}]
                """
                        .formatted(uid));
        cluster.bind("p", "node-1");
    }

    @Test
    void evictionByADeviceTaintIsRecorded() {
        nodeWithoutLease();
        podWithDevice();
        cluster.create(
                SLICES,
                "",
                """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: s}
                spec:
                  driver: d
                  pool: {name: p, generation: 1, resourceSliceCount: 1}
                  allNodes: true
                  devices: [{name: a, taints: [{key: broken, effect: NoExecute}]}]
                """);
        cluster.until("eviction", () -> !cluster.events("Pod", "p").isEmpty());
        assertThat(cluster.events("Pod", "p"))
                .isEqualTo(
                        "Normal DeviceTaintManagerEviction device-taint-eviction-controller\n"
                                + "    Marking"
                                + " for deletion\n");
    }

    @Test
    void refusedClaimsOfThreePodsAreThreeEvents() {
        cluster.create(
                QUOTAS,
                """
                apiVersion: v1
                kind: ResourceQuota
                metadata: {name: q}
                spec: {hard: {count/resourceclaims.resource.k8s.io: 0}}
                """);
        cluster.create(
                TEMPLATES,
                """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaimTemplate
                metadata: {name: t}
                spec: {spec: {devices: {requests: [{name: g, exactly: {deviceClassName: gpu}}]}}}
                """);
        for (var name : new String[] {"a", "b", "c"}) {
            pod(name, "resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]");
        }
        cluster.until("fifteen tries each", Duration.ofSeconds(1), () -> occurrences() >= 45);

        assertThat(cluster.list(ResourcePath.EVENTS)).hasSize(3);
        assertThat(cluster.events("Pod", "a"))
                .isEqualTo(
                        "Warning FailedResourceClaimCreation resource_claim\n"
                                + "    PodResourceClaim gpu:"
                                + " create ResourceClaim: resourceclaims.resource.k8s.io"
                                + " \"a-gpu-\" is forbidden: exceeded quota: q, requested:"
                                + " count/resourceclaims.resource.k8s.io=1, used:"
                                + " count/resourceclaims.resource.k8s.io=0, limited:"
                                + " count/resourceclaims.resource.k8s.io=0\n");
    }

    private long occurrences() {
        return cluster.list(ResourcePath.EVENTS).stream()
                .mapToLong(event -> event.number("count").orElse(0))
                .sum();
    }
}
