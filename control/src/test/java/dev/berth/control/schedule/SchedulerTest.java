package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchedulerTest {

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
    void aPodGetsItsDeviceAndItsNode() {
        oneNode(1);
        rig.schedule();
        rig.claimOne("one");
        rig.podWith("p", "one");

        assertThat(rig.awaitNode("p")).isEqualTo("a");
        assertThat(rig.devices("one")).containsExactly("gpu-0");
        assertThat(rig.users("one")).containsExactly("p");
        assertThat(rig.claim("one").objectOrEmpty("metadata").strings("finalizers"))
                .containsExactly("resource.kubernetes.io/delete-protection");
        assertThat(
                        rig.claim("one")
                                .objectOrEmpty("status")
                                .objectOrEmpty("allocation")
                                .has("allocationTimestamp"))
                .isTrue();
        rig.await(() -> !rig.events.isEmpty(), "no event");
        assertThat(rig.events).containsExactly("p Scheduled Successfully assigned default/p to a");
    }

    @Test
    void podsOfOtherSchedulersAreIgnored() {
        oneNode(1);
        var scheduler = rig.schedule();
        rig.create(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: other}
                spec: {containers: [{name: c, image: i}]}
                """);
        rig.claimOne("one");
        rig.podWith("p", "one");

        rig.awaitNode("p");
        assertThat(rig.nodeOf("other")).isEmpty();
        // The scheduler receives the binding of its pod a little later than this test.
        rig.await(() -> scheduler.status().queue().all() == 0, "pods are left in the queue");
    }

    @Test
    void theDefaultSchedulerPlacesPodsWithoutSchedulerName() {
        oneNode(1);
        rig.schedule(SchedulerOptions.defaults().withDefaultScheduler(), rig.connect("berth"));
        rig.create(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: other}
                spec: {containers: [{name: c, image: i}]}
                """);

        assertThat(rig.awaitNode("other")).isEqualTo("a");
    }

    @Test
    void matchAttributeConstraintsAreSatisfied() {
        rig.node("a");
        rig.deviceClass();
        var devices = new ArrayList<Json>();
        for (var i = 0; i < 4; i++) {
            var root = JsonObject.of("string", Json.of("pci-" + i / 2));
            devices.add(
                    JsonObject.of("name", Json.of("gpu-" + i))
                            .with("attributes", JsonObject.of("gpu.example.com/root", root)));
        }
        rig.slice("a", devices);
        rig.claimOne("first");
        rig.claim(
                "pair",
                """
                requests: [{name: gpu, exactly: {deviceClassName: gpu, count: 2}}],
                constraints: [{matchAttribute: gpu.example.com/root}]
                """);
        rig.schedule();
        rig.podWith("p", "first");
        rig.awaitNode("p");
        rig.podWith("q", "pair");

        rig.awaitNode("q");
        assertThat(rig.devices("pair")).containsExactly("gpu-2", "gpu-3");
    }

    @Test
    void fivePodsShareOneClaim() {
        oneNode(2);
        rig.node("b");
        rig.claimOne("shared");
        rig.schedule();
        for (var i = 0; i < 5; i++) {
            rig.podWith("p" + i, "shared");
        }

        for (var i = 0; i < 5; i++) {
            assertThat(rig.awaitNode("p" + i)).isEqualTo("a");
        }
        assertThat(rig.users("shared")).containsExactlyInAnyOrder("p0", "p1", "p2", "p3", "p4");
        assertThat(rig.devices("shared")).hasSize(1);
        assertThat(rig.events).noneMatch(event -> event.contains("Failed"));
    }

    @Test
    void partitionsShareTheCountersOfADevice() {
        rig.node("a");
        rig.deviceClass();
        rig.create(
                """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: counters}
                spec:
                  driver: gpu.example.com
                  nodeName: a
                  pool: {name: a, generation: 1, resourceSliceCount: 2}
                  sharedCounters: [{name: gpu, counters: {memory: {value: 40Gi}}}]
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: devices}
                spec:
                  driver: gpu.example.com
                  nodeName: a
                  pool: {name: a, generation: 1, resourceSliceCount: 2}
                  devices:
                  - name: half-0
                    consumesCounters: [{counterSet: gpu, counters: {memory: {value: 20Gi}}}]
                  - name: half-1
                    consumesCounters: [{counterSet: gpu, counters: {memory: {value: 20Gi}}}]
                  - name: whole
                    consumesCounters: [{counterSet: gpu, counters: {memory: {value: 40Gi}}}]
                """);
        rig.schedule();
        for (var i = 0; i < 3; i++) {
            rig.claimOne("c" + i);
            rig.podWith("p" + i, "c" + i);
            if (i < 2) {
                rig.awaitNode("p" + i);
            }
        }

        rig.awaitRejection("p2");
        assertThat(rig.devices("c0")).containsExactly("half-0");
        assertThat(rig.devices("c1")).containsExactly("half-1");
        assertThat(rig.rejection("p2"))
                .startsWith("0/1 nodes are available: ResourceClaim c2, request gpu, ")
                .contains(". 1 cannot allocate all claims. ");
    }

    @Test
    void sharesOfCapacityHaveIdsOfTheirOwn() {
        rig.node("a");
        rig.deviceClass();
        var policy = JsonObject.of("default", Json.of("1G"));
        var bandwidth = JsonObject.of("value", Json.of("10G")).with("requestPolicy", policy);
        rig.slice(
                "a",
                List.of(
                        JsonObject.of("name", Json.of("nic"))
                                .with("allowMultipleAllocations", Json.of(true))
                                .with("capacity", JsonObject.of("bandwidth", bandwidth))));
        rig.schedule();
        for (var i = 0; i < 3; i++) {
            rig.claim(
                    "c" + i,
                    """
                    requests: [{name: nic, exactly: {deviceClassName: gpu,
                      capacity: {requests: {bandwidth: 4G}}}}]
                    """);
            rig.podWith("p" + i, "c" + i);
        }

        rig.await(() -> rig.isIdle(2), "two pods fit");
        var shares = new HashSet<String>();
        for (var i = 0; i < 3; i++) {
            rig.claim("c" + i)
                    .objectOrEmpty("status")
                    .objectOrEmpty("allocation")
                    .objectOrEmpty("devices")
                    .objects("results")
                    .forEach(result -> shares.add(result.text("shareID")));
        }
        assertThat(shares).hasSize(2).doesNotContain("");
    }

    @Test
    void theNodeWithThePreferredSubrequestIsChosen() {
        rig.node("a");
        rig.node("b");
        rig.deviceClass();
        rig.create(
                """
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: better}
                spec: {selectors: [{cel: {expression: device.driver == "better.example.com"}}]}
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: b-better}
                spec:
                  driver: better.example.com
                  nodeName: b
                  pool: {name: b, generation: 1, resourceSliceCount: 1}
                  devices: [{name: best}]
                """);
        rig.slice("a", 2);
        rig.claim(
                "any",
                """
                requests: [{name: one, firstAvailable: [
                  {name: best, deviceClassName: better}, {name: good, deviceClassName: gpu}]}]
                """);
        rig.schedule();
        rig.podWith("p", "any");

        assertThat(rig.awaitNode("p")).isEqualTo("b");
        assertThat(rig.devices("any")).containsExactly("best");
    }

    @Test
    void extendedResourcesAreAllocatedAsDevices() {
        rig.node("a");
        rig.create(
                """
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: gpu}
                spec:
                  extendedResourceName: example.com/gpu
                  selectors: [{cel: {expression: device.driver == "gpu.example.com"}}]
                """);
        rig.slice("a", 3);
        rig.schedule();
        rig.create(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: p}
                spec:
                  schedulerName: berth
                  containers:
                  - name: c
                    image: i
                    resources:
                      requests: {cpu: "1", example.com/gpu: "2"}
                      limits: {example.com/gpu: "2"}
                """);

        assertThat(rig.awaitNode("p")).isEqualTo("a");
        var status =
                rig.pod("p").objectOrEmpty("status").objectOrEmpty("extendedResourceClaimStatus");
        var claim = status.text("resourceClaimName");
        assertThat(claim).startsWith("p-extended-resources-");
        assertThat(rig.devices(claim)).containsExactly("gpu-0", "gpu-1");
        assertThat(rig.users(claim)).containsExactly("p");
        assertThat(status.objects("requestMappings"))
                .extracting(mapping -> mapping.text("requestName"))
                .containsExactly("container-0-request-1");
    }
}
