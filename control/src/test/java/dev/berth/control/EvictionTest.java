package dev.berth.control;

import static dev.berth.control.ControlledCluster.NODES;
import static dev.berth.control.ControlledCluster.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ResourcePath;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvictionTest {

    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);
    private static final ResourcePath SLICES = ResourcePath.of(Kinds.RESOURCE_SLICE);
    private static final ResourcePath RULES = ResourcePath.of(Kinds.DEVICE_TAINT_RULE);
    private static final ResourcePath REQUESTS =
            ResourcePath.of(Kinds.RESOURCE_POOL_STATUS_REQUEST);

    @TempDir Path directory;
    private ControlledCluster cluster;

    @BeforeEach
    void open() {
        cluster = new ControlledCluster(directory, FeatureGates.all());
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private void running(String name, String tolerations) {
        TaintedPods.running(cluster, name, tolerations);
    }

    private String slice(String taints) {
        return """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: s}
        spec:
          driver: d
          pool: {name: p, generation: 1, resourceSliceCount: 1}
          allNodes: true
          devices:
          - {name: a, taints: %s}
          - {name: b}
        """
                .formatted(taints);
    }

    private String taint() {
        return "[{key: broken, effect: NoExecute, timeAdded: \"%s\"}]"
                .formatted(cluster.now().truncatedTo(ChronoUnit.SECONDS));
    }

    private boolean isDeleting(String pod) {
        return TaintedPods.isDeleting(cluster, pod);
    }

    private JsonObject condition() {
        return cluster.get(RULES, "", "r").objectOrEmpty("status").objects("conditions").stream()
                .findFirst()
                .orElse(JsonObject.EMPTY);
    }

    @Test
    void podsAreEvictedWhenTheirTolerationEnds() {
        node("node-1");
        running("a", "[{operator: Exists, effect: NoExecute, tolerationSeconds: 60}]");
        running("b", "[]");
        cluster.create(SLICES, "", slice(taint()));
        cluster.settle();
        cluster.advance(Duration.ofSeconds(50));
        cluster.settle();
        assertThat(isDeleting("a")).isFalse();

        cluster.advance(Duration.ofSeconds(11));
        cluster.until("a is evicted", () -> isDeleting("a"));

        assertThat(isDeleting("b")).isFalse();
        cluster.until(
                "event recorded", () -> !cluster.list(ResourcePath.EVENTS, "default").isEmpty());
        var event = cluster.list(ResourcePath.EVENTS, "default").getFirst();
        assertThat(event.text("reason")).isEqualTo("DeviceTaintManagerEviction");
        assertThat(event.text("message")).isEqualTo("Marking for deletion");
    }

    @Test
    void tolerationWithoutEffectDoesNotProtect() {
        running("a", "[{operator: Exists}]");
        cluster.create(SLICES, "", slice(taint()));

        cluster.until("a is evicted", () -> isDeleting("a"));
        var conditions = cluster.find(PODS, "default", "a").orElseThrow().objectOrEmpty("status");
        assertThat(conditions.objects("conditions"))
                .anySatisfy(one -> {
                    assertThat(one.text("type")).isEqualTo("DisruptionTarget");
                    assertThat(one.text("reason")).isEqualTo("DeletionByDeviceTaintManager");
                });
    }

    @Test
    void evictionIsCancelledWhenTheTaintIsRemoved() {
        node("node-1");
        running("a", "[{operator: Exists, effect: NoExecute, tolerationSeconds: 60}]");
        cluster.create(SLICES, "", slice(taint()));
        cluster.settle();
        cluster.patch(SLICES, "", "s", "spec: {devices: [{name: a}, {name: b}]}");
        cluster.settle();
        cluster.advance(Duration.ofSeconds(100));
        cluster.settle();

        assertThat(isDeleting("a")).isFalse();
        assertThat(cluster.list(ResourcePath.EVENTS, "default").getFirst().text("message"))
                .isEqualTo("Cancelling deletion");
    }

    @Test
    void ruleReportsEvictionProgress() {
        running("a", "[]");
        cluster.create(SLICES, "", slice("[]"));
        cluster.settle();
        cluster.create(
                RULES,
                "",
                """
                apiVersion: resource.k8s.io/v1
                kind: DeviceTaintRule
                metadata: {name: r}
                spec:
                  deviceSelector: {driver: d}
                  taint: {key: broken, effect: NoExecute}
                """);

        cluster.until("pending", () -> condition().text("status").equals("True"));
        assertThat(condition().text("reason")).isEqualTo("PodsPendingEviction");
        assertThat(condition().text("message"))
                .isEqualTo("1 pod needs to be evicted in 1 namespace.");
        cluster.until("a is evicted", () -> isDeleting("a"));
        cluster.advance(Duration.ofSeconds(11));
        cluster.until("completed", () -> condition().text("status").equals("False"));
        assertThat(condition().text("reason")).isEqualTo("Completed");
        assertThat(condition().text("message"))
                .isEqualTo("1 pod evicted since starting the controller.");
    }

    @Test
    void ruleWithoutEffectReportsItsImpact() {
        running("a", "[]");
        cluster.create(SLICES, "", slice("[]"));
        cluster.settle();
        cluster.create(
                RULES,
                "",
                """
                apiVersion: resource.k8s.io/v1
                kind: DeviceTaintRule
                metadata: {name: r}
                spec:
                  deviceSelector: {driver: d}
                  taint: {key: broken, effect: None}
                """);

        cluster.until("reported", () -> !condition().isEmpty());
        assertThat(condition().text("message"))
                .isEqualTo(
                        "2 published devices selected. 1 allocated device selected. "
                                + "1 pod would be evicted in 1 namespace if the effect was "
                                + "NoExecute. This information will not be updated again. "
                                + "Recreate the DeviceTaintRule to trigger an update.");
        assertThat(isDeleting("a")).isFalse();
    }

    @Test
    void poolStatusIsWrittenWhenThePoolIsComplete() {
        running("a", "[]");
        var whole = slice("[{key: k, effect: NoSchedule}]");
        cluster.create(SLICES, "", whole.replace("resourceSliceCount: 1", "resourceSliceCount: 2"));
        cluster.create(
                REQUESTS,
                "",
                """
                apiVersion: resource.k8s.io/v1alpha3
                kind: ResourcePoolStatusRequest
                metadata: {name: q}
                spec: {driver: d, poolName: p}
                """);
        cluster.settle();
        assertThat(cluster.get(REQUESTS, "", "q").objectOrEmpty("status").has("poolCount"))
                .isFalse();
        cluster.create(
                SLICES,
                "",
                """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: t}
                spec:
                  driver: d
                  pool: {name: p, generation: 1, resourceSliceCount: 2}
                  allNodes: true
                  devices: [{name: c}]
                """);

        cluster.until(
                "answered",
                () -> cluster.get(REQUESTS, "", "q").objectOrEmpty("status").has("poolCount"));
        var status = cluster.get(REQUESTS, "", "q").objectOrEmpty("status");
        var pool = status.objects("pools").getFirst();
        assertThat(pool.number("totalDevices")).hasValue(3);
        assertThat(pool.number("allocatedDevices")).hasValue(1);
        assertThat(pool.number("unavailableDevices")).hasValue(1);
        assertThat(pool.number("availableDevices")).hasValue(1);
        assertThat(status.objects("conditions").getFirst().text("message"))
                .isEqualTo("Calculated status for 1 pools");
    }

    @Test
    void poolStatusIsWrittenWhenAnIncompletePoolIsDeleted() {
        cluster.create(SLICES, "", slice("[]").replace("SliceCount: 1", "SliceCount: 2"));
        cluster.create(
                REQUESTS,
                "",
                """
                apiVersion: resource.k8s.io/v1alpha3
                kind: ResourcePoolStatusRequest
                metadata: {name: q}
                spec: {driver: d}
                """);
        cluster.settle();
        assertThat(cluster.get(REQUESTS, "", "q").has("status")).isFalse();
        cluster.delete(SLICES, "", "s");

        cluster.until("answered", () -> cluster.get(REQUESTS, "", "q").has("status"));
        assertThat(cluster.get(REQUESTS, "", "q").objectOrEmpty("status").number("poolCount"))
                .hasValue(0);
    }

    @Test
    void podsAreEvictedFromNodesWithoutHeartbeat() {
        node("node-1");
        lease(cluster.now());
        running("a", "[]");
        cluster.settle();
        cluster.advance(Duration.ofSeconds(41));
        cluster.until("unknown", () -> taints().size() == 2);
        assertThat(taints())
                .allSatisfy(taint ->
                        assertThat(taint.text("key")).isEqualTo("node.kubernetes.io/unreachable"));
        cluster.settle();
        cluster.advance(Duration.ofSeconds(200));
        cluster.settle();
        assertThat(isDeleting("a")).isFalse();

        cluster.advance(Duration.ofSeconds(101));
        cluster.until("a is evicted", () -> isDeleting("a"));
    }

    private void node(String name) {
        cluster.create(
                NODES,
                "",
                """
                apiVersion: v1
                kind: Node
                metadata: {name: %s}
                status: {conditions: [{type: Ready, status: "True"}]}
                """
                        .formatted(name));
    }

    private void lease(Instant now) {
        cluster.create(
                ResourcePath.LEASES,
                "kube-node-lease",
                """
                apiVersion: coordination.k8s.io/v1
                kind: Lease
                metadata: {name: node-1, namespace: kube-node-lease}
                spec: {holderIdentity: node-1, renewTime: "%s"}
                """
                        .formatted(now.truncatedTo(ChronoUnit.MICROS)));
    }

    private List<JsonObject> taints() {
        return cluster.get(NODES, "", "node-1").objectOrEmpty("spec").objects("taints");
    }

    @Test
    void podOfADeletedNodeGetsPhaseFailedBeforeDeletion() {
        running("a", "[]");
        cluster.patch(PODS, "default", "a", "metadata: {finalizers: [example.com/keep]}");
        cluster.settle();
        cluster.advance(Duration.ofSeconds(41));
        cluster.until("a is evicted", () -> isDeleting("a"));

        var status = cluster.get(PODS, "default", "a").objectOrEmpty("status");
        assertThat(status.text("phase")).isEqualTo("Failed");
        assertThat(status.objects("conditions"))
                .anySatisfy(one -> {
                    assertThat(one.text("type")).isEqualTo("DisruptionTarget");
                    assertThat(one.text("reason")).isEqualTo("DeletionByPodGC");
                    assertThat(one.text("message")).isEqualTo("PodGC: node no longer exists");
                });
    }

    @Test
    void podsAndSlicesOfADeletedNodeAreDeleted() {
        running("a", "[]");
        cluster.create(SLICES, "", slice("[]").replace("allNodes: true", "nodeName: node-1"));
        cluster.settle();
        assertThat(cluster.find(SLICES, "", "s")).isPresent();

        cluster.advance(Duration.ofSeconds(41));
        cluster.until("slice deleted", () -> cluster.find(SLICES, "", "s").isEmpty());
        cluster.until("pod deleted", () -> cluster.find(PODS, "default", "a").isEmpty());
        cluster.until(
                "released",
                () ->
                        cluster.get(CLAIMS, "default", "a")
                                .objectOrEmpty("status")
                                .items("reservedFor")
                                .isEmpty());
    }
}
