package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.admission.gate.FeatureGates;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PodGroupClaimsTest {

    @TempDir Path directory = Path.of("");

    private SchedulingRig rig;

    @BeforeEach
    void start() {
        rig = new SchedulingRig(directory, FeatureGates.all());
        rig.deviceClass();
        rig.control();
        rig.schedule(
                SchedulerOptions.defaults().withGates(FeatureGates.all()), rig.connect("berth"));
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    /// A device that is available on every node.
    private void network() {
        rig.create(
                """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: network}
                spec:
                  driver: gpu.example.com
                  allNodes: true
                  pool: {name: network, generation: 1, resourceSliceCount: 1}
                  devices: [{name: gpu-0}]
                """);
    }

    private void group(String entry) {
        rig.create(
                """
                apiVersion: scheduling.k8s.io/v1beta1
                kind: PodGroup
                metadata: {name: g}
                spec: {schedulingPolicy: {basic: {}}, resourceClaims: [%s]}
                """
                        .formatted(entry));
    }

    private void pod(String name, String entry) {
        rig.create(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  schedulerName: berth
                  schedulingGroup: {podGroupName: g}
                  resourceClaims: [%s]
                  containers: [{name: c, image: i, resources: {claims: [{name: devices}]}}]
                """
                        .formatted(name, entry));
    }

    private String claimOf(String pod) {
        return rig.pod(pod)
                .objectOrEmpty("status")
                .objects("resourceClaimStatuses")
                .getFirst()
                .text("resourceClaimName");
    }

    @Test
    void manyPodsOfAGroupUseOneClaimThatIsReservedOnce() {
        var entry = "{name: devices, resourceClaimTemplateName: template}";
        var pods = IntStream.range(0, 260).mapToObj(i -> "p" + i).toList();
        network();
        for (var node = 0; node < 3; node++) {
            rig.node("n" + node);
        }
        rig.create(
                """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaimTemplate
                metadata: {name: template}
                spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}}
                """);
        // The first pods exist before the group.
        pods.subList(0, 10).forEach(pod -> pod(pod, entry));
        group(entry);
        pods.subList(10, 260).forEach(pod -> pod(pod, entry));

        pods.forEach(rig::awaitNode);
        assertThat(pods.stream().map(this::claimOf).distinct()).hasSize(1);
        var users =
                rig.claim(claimOf("p0")).objectOrEmpty("status").objects("reservedFor").stream()
                        .map(user -> user.text("apiGroup") + "/" + user.text("resource"));
        assertThat(users).containsExactly("scheduling.k8s.io/podgroups");
        assertThat(rig.users(claimOf("p0"))).containsExactly("g");
        assertThat(rig.events).noneMatch(event -> event.contains("in the meantime"));
    }

    @Test
    void podsOfAGroupAreScheduledToTheNodeOfTheDevice() {
        var entry = "{name: devices, resourceClaimName: one}";
        rig.node("a");
        rig.node("b");
        rig.slice("b", 1);
        rig.claimOne("one");
        group(entry);
        for (var i = 0; i < 8; i++) {
            pod("p" + i, entry);
        }

        for (var i = 0; i < 8; i++) {
            assertThat(rig.awaitNode("p" + i)).isEqualTo("b");
        }
        assertThat(rig.users("one")).containsExactly("g");
    }
}
