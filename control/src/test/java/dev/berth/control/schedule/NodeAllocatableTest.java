package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.model.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Devices mapped to CPU of their node, which has four.
class NodeAllocatableTest {

    @TempDir Path directory = Path.of("");

    private SchedulingRig rig;

    @BeforeEach
    void start() {
        rig = new SchedulingRig(directory, FeatureGates.all());
        rig.deviceClass();
        rig.create(
                """
                apiVersion: v1
                kind: Node
                metadata: {name: a, labels: {kubernetes.io/hostname: a}}
                status:
                  capacity: {cpu: "4", memory: 32Gi, pods: "110"}
                  allocatable: {cpu: "4", memory: 32Gi, pods: "110"}
                  declaredFeatures: [DRANodeAllocatableResources]
                """);
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private void devices() {
        rig.create(
                """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: a-gpus}
                spec:
                  driver: gpu.example.com
                  nodeName: a
                  pool: {name: a, generation: 1, resourceSliceCount: 1}
                  devices:
                  - name: gpu-0
                    nodeAllocatableResources: {cpu: {mapping: {deviceMultiplier: "3"}}}
                  - name: gpu-1
                    nodeAllocatableResources: {cpu: {mapping: {deviceMultiplier: "3"}}}
                """);
    }

    private List<JsonObject> allocatableUsage(String pod) {
        return rig.pod(pod).objectOrEmpty("status").objects("nodeAllocatableResourceClaimStatuses");
    }

    @Test
    void nodeAllocatableUsageOfDevicesIsRecordedAndSubtracted() {
        devices();
        rig.schedule(
                SchedulerOptions.defaults().withGates(FeatureGates.all()), rig.connect("berth"));
        rig.claimOne("one");
        rig.claimOne("two");
        rig.podWith("p", "one");
        rig.awaitNode("p");
        rig.podWith("q", "two");
        rig.podWith("r", "one");
        rig.awaitRejection("q");
        rig.awaitRejection("r");

        assertThat(allocatableUsage("p")).hasSize(1);
        assertThat(allocatableUsage("p").getFirst().text("resourceClaimName")).isEqualTo("one");
        assertThat(allocatableUsage("p").getFirst().strings("containers")).containsExactly("c");
        assertThat(allocatableUsage("p").getFirst().objects("mapping"))
                .extracting(one -> one.text("name") + " " + one.text("quantity"))
                .containsExactly("cpu 3");
        assertThat(rig.rejection("q"))
                .startsWith(
                        "0/1 nodes are available: ResourceClaim two, requests: its devices consume"
                                + " node resources: insufficient cpu: the pod requests 3, 1 of 4 is"
                                + " left on node a. 1 Insufficient cpu.");
        assertThat(rig.rejection("r"))
                .startsWith(
                        "0/1 nodes are available: Pod r, spec.resourceClaims: its devices consume"
                                + " node resources: claim default/one maps to node resources and"
                                + " is used by another pod on node a.")
                .contains(
                        "1 node allocatable resource claim one has a mapped device and cannot be"
                                + " shared across pods.");
    }
}
