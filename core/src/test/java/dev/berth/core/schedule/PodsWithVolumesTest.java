package dev.berth.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.place.ClusterEvent;
import dev.berth.core.place.VolumeBindingTask;
import dev.berth.core.place.VolumeBindingTask.Progress;
import dev.berth.model.api.pod.Pod;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PodsWithVolumesTest {

    private static final String LOCAL =
            """
            {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: local},
             provisioner: kubernetes.io/no-provisioner, volumeBindingMode: WaitForFirstConsumer}
            """;
    private static final String MADE =
            LOCAL.replace("local", "made").replace("kubernetes.io/no-provisioner", "x.example.com");
    private static final String DISK =
            """
            {apiVersion: v1, kind: PersistentVolume, metadata: {name: disk},
             spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce],
               storageClassName: local}}
            """;
    private static final String OURS =
            DISK.replace("spec: {", "spec: {claimRef: {namespace: ns, name: a, uid: a-uid}, ");

    private static String node(String name) {
        return ("{apiVersion: v1, kind: Node, metadata: {name: %s},"
                        + " status: {allocatable: {pods: 9}}}")
                .formatted(name);
    }

    private static String claim(String name, String annotation, String spec) {
        return """
        {apiVersion: v1, kind: PersistentVolumeClaim,
         metadata: {namespace: ns, name: %s, uid: %s-uid, annotations: {%s}},
         spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}, %s}}
        """
                .formatted(name, name, annotation, spec);
    }

    private static Pod pod(String name, String claim) {
        return DecisionFixture.pod(
                """
                {apiVersion: v1, kind: Pod, metadata: {namespace: ns, name: %s, uid: %s-uid},
                 spec: {containers: [{name: c}],
                   volumes: [{name: v, persistentVolumeClaim: {claimName: %s}}]}}
                """
                        .formatted(name, name, claim));
    }

    @Test
    void aMissingClaimIsReportedOnce() {
        var decision = DecisionFixture.of(node("n1"), LOCAL).decide(pod("p", "a"));
        assertThat(decision)
                .isInstanceOfSatisfying(
                        SchedulingDecision.Unschedulable.class,
                        unplaced -> {
                            assertThat(unplaced.message())
                                    .isEqualTo(
                                            "0/1 nodes are available: persistentvolumeclaim \"a\""
                                                    + " not found.");
                            assertThat(unplaced.requeueOn()).isEqualTo(ClusterEvent.VOLUME_EVENTS);
                        });
    }

    @Test
    void aVolumeIsAssumedOnceAndReleasedWhenForgotten() {
        var fixture =
                DecisionFixture.of(
                        node("n1"),
                        LOCAL,
                        DISK,
                        claim("a", "", "storageClassName: local"),
                        claim("b", "", "storageClassName: local"));
        var first = pod("first", "a");
        assertThat(fixture.place(first).fits().volumes().values()).containsExactly("disk");
        assertThat(fixture.decide(pod("second", "b")))
                .isInstanceOfSatisfying(
                        SchedulingDecision.Unschedulable.class,
                        unplaced ->
                                assertThat(unplaced.requeueOn())
                                        .isEqualTo(ClusterEvent.VOLUME_EVENTS));
        // A pod that shares the claim shares the assumed volume and its binding task.
        assertThat(fixture.place(pod("third", "a")).fits().volumes().values())
                .containsExactly("disk");
        fixture.forget(pod("third", "a"));
        fixture.forget(first);
        assertThat(fixture.decide(pod("second", "b")))
                .isInstanceOf(SchedulingDecision.Placed.class);
    }

    private static VolumeBindingTask task(DecisionFixture fixture) {
        var pod = pod("p", "a");
        var fits = fixture.place(pod).fits();
        var errands = VolumeBindingTask.of(pod, fits, fixture.storage());
        assertThat(errands).hasSize(1);
        return errands.getFirst();
    }

    private static Progress progress(VolumeBindingTask task, DecisionFixture fixture) {
        return task.progress(fixture.storage(), fixture.snapshot().inventory().node("n1"));
    }

    @Test
    void bindingIsDoneWhenVolumeAndClaimReferToEachOther() {
        var fixture =
                DecisionFixture.of(
                        node("n1"), LOCAL, DISK, claim("a", "", "storageClassName: local"));
        var task = task(fixture);
        assertThat(task).isInstanceOf(VolumeBindingTask.Bind.class);
        assertThat(progress(task, fixture))
                .isEqualTo(new Progress.Failed("ClaimRef got reset for pv \"disk\""));
        assertThat(progress(task, fixture.add(OURS))).isEqualTo(new Progress.Pending());
        fixture.add(
                claim(
                        "a",
                        "pv.kubernetes.io/bind-completed: 'yes'",
                        "storageClassName: local, volumeName: disk"));
        assertThat(progress(task, fixture)).isEqualTo(new Progress.Done());
    }

    @Test
    void provisioningIsDoneWhenTheNodeCanAccessTheVolume() {
        var fixture =
                DecisionFixture.of(node("n1"), MADE, claim("a", "", "storageClassName: made"));
        var task = task(fixture);
        assertThat(task).isInstanceOf(VolumeBindingTask.Provision.class);
        assertThat(progress(task, fixture))
                .isEqualTo(new Progress.Failed("selectedNode annotation reset for PVC \"a\""));
        var selected = "volume.kubernetes.io/selected-node: n1";
        fixture.add(claim("a", selected, "storageClassName: made"));
        assertThat(progress(task, fixture)).isEqualTo(new Progress.Pending());
        fixture.add(
                claim(
                        "a",
                        selected + ", pv.kubernetes.io/bind-completed: 'yes'",
                        "storageClassName: made, volumeName: disk"));
        assertThat(progress(task, fixture)).isEqualTo(new Progress.Pending());
        assertThat(progress(task, fixture.add(OURS))).isEqualTo(new Progress.Done());
        fixture.add(
                OURS.replace(
                        "spec: {",
                        "spec: {nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions:"
                                + " [{key: zone, operator: Exists}]}]}}, "));
        assertThat(progress(task, fixture))
                .isEqualTo(
                        new Progress.Failed("pv \"disk\" node affinity doesn't match node \"n1\""));
        assertThat(task.progress(fixture.storage(), Optional.empty()))
                .isEqualTo(new Progress.Failed("node \"n1\" not found"));
    }
}
