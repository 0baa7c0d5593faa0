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

/// Changes of pods and claims during device binding; the test acts as the driver.
class DeviceBindingTest {

    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);
    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);

    @TempDir Path directory = Path.of("");
    private SchedulingRig rig;

    @BeforeEach
    void start() {
        rig = new SchedulingRig(directory);
        rig.node("a");
        rig.create(
                """
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: gpu}
                spec: {}
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: fabric}
                spec:
                  driver: fabric.example.com
                  allNodes: true
                  pool: {name: p1, generation: 1, resourceSliceCount: 1}
                  devices:
                  - {name: f0, bindingConditions: [Up], bindingFailureConditions: [Down]}
                  - {name: f1, bindingConditions: [Up], bindingFailureConditions: [Down]}
                """);
        rig.schedule();
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void aPodIsNotBoundWhenItsClaimIsDeallocated() {
        rig.claimOne("one");
        rig.podWith("p", "one");
        awaitDevices("one");
        update("one", JsonObject.EMPTY);

        rig.awaitRejection("p");
        assertThat(rig.rejection("p"))
                .contains("claim one got deallocated elsewhere in the meantime");
        assertThat(rig.nodeOf("p")).isEmpty();

        awaitDevices("one");
        attach("one");
        rig.awaitNode("p");
        assertThat(rig.users("one")).containsExactly("p");
    }

    @Test
    void aDeletedClaimEndsTheBindingAttempt() {
        rig.claimOne("one");
        rig.claimOne("two");
        rig.create(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: p}
                spec:
                  schedulerName: berth
                  resourceClaims:
                  - {name: a, resourceClaimName: one}
                  - {name: b, resourceClaimName: two}
                  containers: [{name: c, image: i}]
                """);
        awaitDevices("two");
        rig.await(
                () -> rig.events.stream().anyMatch(e -> e.contains("waiting")), "no waiting event");
        rig.delete(CLAIMS, "default", "two");
        rig.cluster().send(patch(CLAIMS, "two", "finalizers", Json.array()));

        rig.awaitRejection("p");
        assertThat(rig.rejection("p")).contains("claim two got deleted in the meantime");
    }

    @Test
    void aDeletedPodDoesNotBlockANewPodOfItsName() {
        rig.claimOne("one");
        rig.podWith("p", "one");
        awaitDevices("one");
        rig.delete(PODS, "default", "p");
        rig.create(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: p}
                spec: {schedulerName: berth, containers: [{name: c, image: i}]}
                """);

        assertThat(rig.awaitNode("p")).isEqualTo("a");
    }

    private void awaitDevices(String claim) {
        rig.await(() -> !rig.devices(claim).isEmpty(), claim + " is not allocated");
    }

    private void attach(String claim) {
        var condition =
                JsonObject.of("type", Json.of("Up"))
                        .with("status", Json.of("True"))
                        .with("reason", Json.of("Attached"))
                        .with("message", Json.of(""))
                        .with("lastTransitionTime", Json.of("2030-01-01T00:00:00Z"));
        var device =
                JsonObject.of("driver", Json.of("fabric.example.com"))
                        .with("pool", Json.of("p1"))
                        .with("device", Json.of(rig.devices(claim).getFirst()))
                        .with("conditions", Json.array(condition));
        var status = rig.claim(claim).objectOrEmpty("status");
        update(claim, status.with("devices", Json.array(device)));
    }

    private void update(String claim, JsonObject status) {
        assertThat(rig.update(claim, status).isDone()).isTrue();
    }

    private static Request patch(ResourcePath address, String name, String field, Json value) {
        var patch = JsonObject.of("metadata", JsonObject.of(field, value));
        return new Request.Patch(address, "default", name, "", Request.PatchType.MERGE, patch);
    }
}
