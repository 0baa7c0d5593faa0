package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PendingPodsTest {

    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);

    @TempDir Path directory = Path.of("");

    private SchedulingRig rig;

    @BeforeEach
    void start() {
        rig = new SchedulingRig(directory);
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private void oneNode(int devices) {
        rig.node("a");
        rig.deviceClass();
        rig.slice("a", devices);
    }

    @Test
    void aNewSliceRequeuesAPendingPod() {
        rig.node("a");
        rig.deviceClass();
        rig.schedule();
        rig.claimOne("one");
        rig.podWith("p", "one");
        rig.awaitRejection("p");
        assertThat(rig.rejection("p"))
                .isEqualTo(
                        "0/1 nodes are available: ResourceClaim one, request gpu, deviceClassName:"
                                + " no published device is of DeviceClass gpu; no driver has"
                                + " published ResourceSlices. 1 cannot allocate all claims."
                                + " request gpu: no devices are published."
                                + " Details: berth explain pod/p -n default");
        rig.await(
                () -> rig.events.stream().anyMatch(e -> e.startsWith("p FailedScheduling 0/1")),
                "no event");

        rig.slice("a", 1);

        assertThat(rig.awaitNode("p")).isEqualTo("a");
    }

    @Test
    void aMissingClassIsNamedAndAwaited() {
        rig.node("a");
        rig.slice("a", 1);
        rig.schedule();
        rig.claimOne("one");
        rig.podWith("p", "one");
        rig.awaitRejection("p");
        assertThat(rig.rejection("p"))
                .startsWith(
                        "0/1 nodes are available: ResourceClaim one, request gpu, deviceClassName:"
                                + " DeviceClass gpu does not exist.");

        rig.deviceClass();

        assertThat(rig.awaitNode("p")).isEqualTo("a");
    }

    @Test
    void theQuotaThatRefusesAClaimIsNamed() {
        oneNode(1);
        rig.create(
                """
                apiVersion: v1
                kind: ResourceQuota
                metadata: {name: team, namespace: default}
                spec: {hard: {count/resourceclaims.resource.k8s.io: "0"}}
                """);
        rig.create(
                """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaimTemplate
                metadata: {name: one, namespace: default}
                spec:
                  spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
                """);
        rig.schedule();
        rig.create(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: p, namespace: default}
                spec:
                  schedulerName: berth
                  containers: [{name: c, image: i, resources: {claims: [{name: gpu}]}}]
                  resourceClaims: [{name: gpu, resourceClaimTemplateName: one}]
                """);
        rig.awaitRejection("p");

        assertThat(rig.rejection("p"))
                .startsWith(
                        "ResourceQuota team, spec.hard[count/resourceclaims.resource.k8s.io]:"
                                + " 0 of 0 used, a claim of ResourceClaimTemplate one needs 1.");
    }

    @Test
    void theConditionDoesNotNameClaimsOfOtherNamespaces() {
        oneNode(2);
        var namespaces = new ResourcePath("", "v1", "namespaces");
        var other = JsonObject.of("metadata", JsonObject.of("name", Json.of("other")));
        rig.cluster().send(Request.Create.of(namespaces, "", other));
        rig.claimOne("own");
        rig.allocate("own", SchedulingRig.result("gpu-0"));
        var secret =
                rig.claim("own")
                        .with("metadata", JsonObject.of("name", Json.of("secret")))
                        .with("status", JsonObject.EMPTY);
        rig.cluster().send(Request.Create.of(CLAIMS, "other", secret));
        rig.cluster()
                .send(
                        new Request.Patch(
                                CLAIMS,
                                "other",
                                "secret",
                                "status",
                                Request.PatchType.MERGE,
                                JsonObject.of(
                                        "status",
                                        JsonObject.of(
                                                "allocation",
                                                JsonObject.of(
                                                        "devices",
                                                        JsonObject.of(
                                                                "results",
                                                                Json.array(
                                                                        SchedulingRig.result(
                                                                                "gpu-1"))))))));
        rig.schedule();
        rig.claimOne("one");
        rig.podWith("p", "one");
        rig.awaitRejection("p");
        assertThat(rig.rejection("p"))
                .contains("claim default/own and a claim in another namespace")
                .doesNotContain("secret");
    }

    @Test
    void theConditionNamesTheMissingExtendedResource() {
        rig.node("a");
        classForResource();
        rig.slice("a", 1);
        rig.schedule();
        podWithResource("p", 2);

        rig.awaitRejection("p");
        assertThat(rig.rejection("p"))
                .isEqualTo(
                        "0/1 nodes are available: Pod p, container c,"
                                + " resources.requests[example.com/gpu]: 2 are requested, no node"
                                + " has more than 1 matching of DeviceClass gpu."
                                + " 1 cannot allocate all claims."
                                + " resource example.com/gpu of container c: 1 device of class gpu,"
                                + " which provides example.com/gpu, 1 left,"
                                + " at most 1 on one node, 2 needed."
                                + " Details: berth explain pod/p -n default");
    }

    @Test
    void aNewClassRequeuesAPodThatRequestsItsResource() {
        rig.node("a");
        rig.slice("a", 1);
        rig.schedule();
        podWithResource("p", 1);
        rig.awaitRejection("p");
        assertThat(rig.rejection("p"))
                .isEqualTo(
                        "0/1 nodes are available: Pod p, container c,"
                                + " resources.requests[example.com/gpu]: no node and no DeviceClass"
                                + " provides it. 1 Insufficient example.com/gpu."
                                + " Details: berth explain pod/p -n default");

        classForResource();

        assertThat(rig.awaitNode("p")).isEqualTo("a");
    }

    private void classForResource() {
        rig.create(
                """
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: gpu}
                spec:
                  extendedResourceName: example.com/gpu
                  selectors: [{cel: {expression: device.driver == "gpu.example.com"}}]
                """);
    }

    private void podWithResource(String name, int devices) {
        rig.create(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  schedulerName: berth
                  containers:
                  - name: c
                    image: i
                    resources: {limits: {example.com/gpu: "%d"}}
                """
                        .formatted(name, devices));
    }

    @Test
    void aPodIsGatedUntilItsClaimIsCreated() {
        oneNode(1);
        var scheduler = rig.schedule();
        rig.podWith("p", "late");
        rig.await(() -> scheduler.status().queue().gated() == 1, "not gated");

        rig.claimOne("late");

        assertThat(rig.awaitNode("p")).isEqualTo("a");
    }

    @Test
    void aTaintedNodeIsFilteredOut() {
        rig.create(
                """
                apiVersion: v1
                kind: Node
                metadata: {name: a}
                spec: {taints: [{key: special, value: "yes", effect: NoSchedule}]}
                status: {allocatable: {cpu: "4", memory: 32Gi, pods: "110"}}
                """);
        rig.deviceClass();
        rig.slice("a", 1);
        rig.schedule();
        rig.claimOne("one");
        rig.podWith("p", "one");

        rig.awaitRejection("p");
        assertThat(rig.rejection("p"))
                .startsWith(
                        "0/1 nodes are available: Pod p, spec.tolerations: node a has taint"
                                + " special=yes:NoSchedule, which the pod does not tolerate."
                                + " 1 node(s) had untolerated taint {special: yes}.");
    }

    @Test
    void aTaintedDeviceIsNotReservedForAnotherPod() {
        oneNode(2);
        var before = rig.schedule();
        rig.claimOne("shared");
        rig.podWith("first", "shared");
        rig.awaitNode("first");
        // Events of pods and of rules arrive independently. A scheduler that starts has received
        // both.
        before.close();
        rig.create(
                """
                apiVersion: resource.k8s.io/v1
                kind: DeviceTaintRule
                metadata: {name: broken}
                spec:
                  deviceSelector: {driver: gpu.example.com, pool: a, device: gpu-0}
                  taint: {key: broken, value: "yes", effect: NoSchedule}
                """);

        rig.schedule();
        rig.podWith("second", "shared");

        rig.awaitRejection("second");
        var rejection =
                "0/1 nodes are available: ResourceClaim shared, status.allocation: the claim has"
                        + " device gpu.example.com/a/gpu-0, which is tainted broken=yes:NoSchedule;"
                        + " remove taint broken=yes:NoSchedule from device gpu.example.com/a/gpu-0."
                        + " 1 resourceclaim not available on the node."
                        + " Details: berth explain pod/second -n default";
        assertThat(rig.rejection("second")).isEqualTo(rejection);
        rig.await(
                () -> rig.events.contains("second FailedScheduling " + rejection), "no such event");
        assertThat(rig.users("shared")).containsExactly("first");
    }

    @Test
    void anUnusedClaimOnAnotherNodeIsDeallocated() {
        oneNode(1);
        rig.node("b");
        rig.slice("b", 1);
        rig.schedule();
        rig.claimOne("one");
        rig.podWith("first", "one");
        var home = rig.awaitNode("first");
        rig.delete(ResourcePath.of(Kinds.POD), "default", "first");
        rig.await(() -> rig.pod("first").isEmpty(), "pod is still there");
        unreserve("one");
        var other = home.equals("a") ? "b" : "a";

        rig.create(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: second}
                spec:
                  schedulerName: berth
                  nodeSelector: {kubernetes.io/hostname: %s}
                  resourceClaims: [{name: devices, resourceClaimName: one}]
                  containers: [{name: c, image: i, resources: {claims: [{name: devices}]}}]
                """
                        .formatted(other));

        assertThat(rig.awaitNode("second")).isEqualTo(other);
        assertThat(rig.users("one")).containsExactly("second");
    }

    /// Removes the reservation, as the ResourceClaim controller does when a pod is gone.
    private void unreserve(String claim) {
        var patch = JsonObject.of("status", JsonObject.of("reservedFor", Json.JsonNull.INSTANCE));
        rig.cluster()
                .send(
                        new Request.Patch(
                                CLAIMS,
                                "default",
                                claim,
                                "status",
                                Request.PatchType.MERGE,
                                patch));
    }

    @Test
    void aGatedPodIsNotScheduled() {
        oneNode(1);
        var scheduler = rig.schedule();
        rig.create(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: p}
                spec:
                  schedulerName: berth
                  schedulingGates: [{name: example.com/wait}]
                  containers: [{name: c, image: i}]
                """);
        rig.await(() -> scheduler.status().queue().gated() == 1, "not gated");

        var patch = JsonObject.of("spec", JsonObject.of("schedulingGates", Json.JsonNull.INSTANCE));
        rig.cluster()
                .send(
                        new Request.Patch(
                                ResourcePath.of(Kinds.POD),
                                "default",
                                "p",
                                "",
                                Request.PatchType.MERGE,
                                patch));

        assertThat(rig.awaitNode("p")).isEqualTo("a");
    }
}
