package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Fabric devices of which some cannot be attached; the test acts as the driver.
class FailedDeviceBindingTest {

    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);
    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);

    @TempDir private Path directory = Path.of("");
    private SchedulingRig rig;
    private final List<String> attempted = new ArrayList<>();

    @BeforeEach
    void start() {
        rig = new SchedulingRig(directory);
        rig.create(
                """
                apiVersion: v1
                kind: Node
                metadata: {name: n1}
                status:
                  allocatable: {cpu: 8, memory: 8Gi, pods: 10}
                  conditions: [{type: Ready, status: "True"}]
                ---
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: any}
                spec: {}
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: c}
                spec: {devices: {requests: [{name: r, exactly: {deviceClassName: any}}]}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: p}
                spec:
                  schedulerName: berth
                  containers: [{name: c, image: i}]
                  resourceClaims: [{name: d, resourceClaimName: c}]
                """);
    }

    private void fabric(String... devices) {
        var all = new StringBuilder();
        for (var device : devices) {
            all.append(
                    """
                      - name: %s
                        bindsToNode: true
                        bindingConditions: [Up]
                        bindingFailureConditions: [Down]
                    """
                            .formatted(device));
        }
        rig.create(
                """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: s1}
                spec:
                  driver: fabric.example.com
                  allNodes: true
                  pool: {name: p1, generation: 1, resourceSliceCount: 1}
                  devices:
                """
                        + all);
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void anotherDeviceIsPreferredAfterAFailure() {
        fabric("a", "b");
        rig.schedule(
                SchedulerOptions.defaults().withPolicy(PlacementPolicy.PACK), rig.connect("berth"));
        rig.await(
                () -> {
                    writeBindingCondition(attempted.isEmpty() ? device() : attempted.getFirst());
                    return pod().objectOrEmpty("spec").has("nodeName");
                },
                "the pod is not bound");
        assertThat(attempted).hasSize(1);
        assertThat(device()).isNotEqualTo(attempted.getFirst());
    }

    @Test
    void theOnlyDeviceIsRetried() {
        fabric("a");
        rig.schedule(
                SchedulerOptions.defaults().withPolicy(PlacementPolicy.PACK), rig.connect("berth"));
        rig.await(
                () -> {
                    writeBindingCondition("a");
                    return attempted.size() >= 2;
                },
                "the device was not retried");
    }

    @Test
    void theKubernetesPolicyRetriesTheFirstDevice() {
        fabric("a", "b");
        rig.schedule();
        rig.await(
                () -> {
                    writeBindingCondition("a");
                    return attempted.size() >= 2;
                },
                "the device was not tried twice");
        assertThat(attempted).containsOnly("a");
    }

    /// Writes the binding condition of the allocated device.
    private void writeBindingCondition(String broken) {
        var claim = rig.get(CLAIMS, "default", "c");
        var status = claim.objectOrEmpty("status");
        if (device().isEmpty() || !status.items("devices").isEmpty()) {
            return;
        }
        var isBroken = device().equals(broken);
        var deviceStatus =
                JsonObject.of("driver", Json.of("fabric.example.com"))
                        .with("pool", Json.of("p1"))
                        .with("device", Json.of(device()))
                        .with("conditions", Json.array(condition(isBroken ? "Down" : "Up")));
        var outcome =
                rig.cluster()
                        .send(
                                new Request.Update(
                                        CLAIMS,
                                        "default",
                                        "c",
                                        "status",
                                        claim.with(
                                                "status",
                                                status.with("devices", Json.array(deviceStatus)))));
        if (outcome.isDone() && isBroken) {
            attempted.add(broken);
        }
    }

    private static JsonObject condition(String type) {
        return JsonObject.of("type", Json.of(type))
                .with("status", Json.of("True"))
                .with("reason", Json.of("Test"))
                .with("message", Json.of(""))
                .with("lastTransitionTime", Json.of("2026-01-01T00:00:00Z"));
    }

    private String device() {
        return rig
                .get(CLAIMS, "default", "c")
                .objectOrEmpty("status")
                .objectOrEmpty("allocation")
                .objectOrEmpty("devices")
                .objects("results")
                .stream()
                .map(result -> result.text("device"))
                .findFirst()
                .orElse("");
    }

    private JsonObject pod() {
        return rig.get(PODS, "default", "p");
    }
}
