package dev.berth.core.place;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PodVolumesTest {

    private static final String USES =
            "volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]";
    private static final String ELSEWHERE = "node(s) didn't match PersistentVolume's node affinity";
    private static final String NONE = "node(s) didn't find available persistent volumes to bind";

    private static String claim(String name, String spec) {
        return ("{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {namespace: default, name:"
                        + " %s}, spec: {accessModes: [ReadWriteOnce], resources: {requests:"
                        + " {storage: 10Gi}}, %s}}")
                .formatted(name, spec);
    }

    private static String volume(String name, String zone, String size) {
        return ("{apiVersion: v1, kind: PersistentVolume, metadata: {name: %s}, spec: {capacity:"
                        + " {storage: %s}, accessModes: [ReadWriteOnce], storageClassName: local,"
                        + " nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key:"
                        + " zone, operator: In, values: [%s]}]}]}}}}")
                .formatted(name, size, zone);
    }

    private static String storageClass(String name, String provisioner, String more) {
        return ("{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: %s},"
                        + " provisioner: %s, volumeBindingMode: WaitForFirstConsumer%s}")
                .formatted(name, provisioner, more);
    }

    private static final String LOCAL = storageClass("local", "kubernetes.io/no-provisioner", "");

    @Test
    void nodeAffinityOfABoundVolumeRestrictsNodes() {
        var cluster =
                PlacementFixture.inZones("a", "b")
                        .add(claim("data", "volumeName: disk"))
                        .add(volume("disk", "b", "10Gi"));
        assertThat(cluster.perNode(USES)).containsExactly(ELSEWHERE, "fits");
    }

    @Test
    void zoneLabelsOfAVolumeRestrictNodes() {
        var old =
                "{apiVersion: v1, kind: PersistentVolume, metadata: {name: disk, labels:"
                        + " {topology.kubernetes.io/zone: b__c}}, spec: {capacity:"
                        + " {storage: 10Gi}}}";
        var nodes =
                "{apiVersion: v1, kind: Node, metadata: {name: %s, labels:"
                        + " {topology.kubernetes.io/zone: %s}}}";
        var cluster =
                PlacementFixture.of(
                        nodes.formatted("x", "a"),
                        nodes.formatted("z", "c"),
                        old,
                        claim("data", "volumeName: disk"));
        assertThat(cluster.perNode(USES))
                .containsExactly("node(s) had no available volume zone", "fits");
    }

    @Test
    void anUnboundClaimGetsTheSmallestAccessibleVolume() {
        var cluster =
                PlacementFixture.inZones("a", "b", "c")
                        .add(LOCAL)
                        .add(claim("data", "storageClassName: local"))
                        .add(volume("small", "a", "5Gi"))
                        .add(volume("huge", "b", "99Gi"))
                        .add(volume("large", "b", "20Gi"));
        assertThat(cluster.perNode(USES)).containsExactly(NONE, "fits", NONE);
        assertThat(cluster.evaluate(USES))
                .filteredOn(NodeFit.Fits.class::isInstance)
                .singleElement()
                .extracting(fit -> ((NodeFit.Fits) fit).volumes().values())
                .asString()
                .isEqualTo("[large]");
    }

    @Test
    void aVolumeIsAssumedForOneClaim() {
        var two = USES.replace("data", "other");
        var cluster =
                PlacementFixture.inZones("a", "b")
                        .add(LOCAL)
                        .add(claim("data", "storageClassName: local"))
                        .add(claim("other", "storageClassName: local"))
                        .add(volume("one", "b", "10Gi"));
        assertThat(cluster.places(USES, two)).containsExactly("n1", "-");
        assertThat(cluster.places(USES, USES)).containsExactly("n1", "n1");
    }

    @Test
    void allowedTopologiesRestrictProvisioning() {
        var cluster =
                PlacementFixture.inZones("a", "b")
                        .add(
                                storageClass(
                                        "ssd",
                                        "disks.example.com",
                                        ", allowedTopologies: [{matchLabelExpressions: [{key: zone,"
                                                + " values: [b]}]}]"))
                        .add(claim("data", "storageClassName: ssd"));
        assertThat(cluster.perNode(USES)).containsExactly(NONE, "fits");
    }

    @Test
    void anEphemeralVolumeHasAClaimOwnedByThePod() {
        var own =
                "volumes: [{name: v, ephemeral: {volumeClaimTemplate: {spec: {accessModes:"
                        + " [ReadWriteOnce], storageClassName: local, resources:"
                        + " {requests: {storage:"
                        + " 1Gi}}}}}}]";
        var cluster = PlacementFixture.inZones("a", "b").add(LOCAL).add(volume("one", "b", "10Gi"));
        assertThat(cluster.places(own, own)).containsExactly("n1", "-");
    }

    @Test
    void readWriteOncePodIsExclusive() {
        var alone =
                claim("data", "storageClassName: ''")
                        .replace("ReadWriteOnce]", "ReadWriteOncePod]")
                        .replace("storageClassName: ''", "volumeName: disk");
        var cluster =
                PlacementFixture.inZones("a")
                        .add(alone)
                        .add(volume("disk", "a", "10Gi"))
                        .pod("first", "n0", "", USES);
        assertThat(cluster.perNode(USES))
                .containsExactly(
                        "node has pod using PersistentVolumeClaim with the same name and"
                                + " ReadWriteOncePod access mode");
    }

    @Test
    void missingObjectsAreReportedForIncompleteInput() {
        var cluster = PlacementFixture.inZones("a");
        assertThat(cluster.perNode(USES)).containsExactly("fits");
        var missingObjects = cluster.evaluation(USES).missingObjects();
        assertThat(missingObjects).containsExactly("PersistentVolumeClaim default/data");
    }

    @Test
    void missingObjectsRejectThePodInALiveCluster() {
        var cluster = PlacementFixture.inZones("a").live();
        assertThat(cluster.perNode(USES))
                .containsExactly("persistentvolumeclaim \"data\" not found");
        cluster.add(claim("data", "storageClassName: ''"));
        assertThat(cluster.perNode(USES))
                .containsExactly("pod has unbound immediate PersistentVolumeClaims");
        assertThat(cluster.places(USES)).containsExactly("-");
    }

    @Test
    void claimsWithoutAClassUseTheDefaultClass() {
        var plain = storageClass("ssd", "disks.example.com", "");
        var chosen =
                LOCAL.replace(
                        "{name: local}",
                        "{name: local, annotations:"
                                + " {storageclass.kubernetes.io/is-default-class: 'true'}}");
        var cluster =
                PlacementFixture.inZones("a")
                        .add(plain)
                        .add(chosen)
                        .add(claim("data", "volumeName: ''"));
        assertThat(cluster.perNode(USES)).containsExactly(NONE);
    }

    @Test
    void aClaimIsBoundWhenTheVolumeRefersToIt() {
        var named = claim("data", "volumeName: disk");
        var cluster =
                PlacementFixture.inZones("a").live().add(named).add(volume("disk", "a", "10Gi"));
        assertThat(cluster.perNode(USES))
                .containsExactly("pod has unbound immediate PersistentVolumeClaims");
        var done =
                named.replace(
                        "name: data}",
                        "name: data, annotations: {pv.kubernetes.io/bind-completed: 'yes'}}");
        assertThat(
                        PlacementFixture.inZones("a")
                                .live()
                                .add(done)
                                .add(volume("disk", "a", "10Gi"))
                                .perNode(USES))
                .containsExactly("fits");
    }

    @Test
    void anEphemeralClaimOwnedByAnotherPodIsRejected() {
        var own = "volumes: [{name: v, ephemeral: {volumeClaimTemplate: {spec: {}}}}]";
        var cluster = PlacementFixture.inZones("a").live();
        assertThat(cluster.perNode(own))
                .containsExactly(
                        "waiting for ephemeral volume controller to create the"
                                + " persistentvolumeclaim \"pod-v\"");
        cluster.add(claim("pod-v", "volumeName: disk"));
        assertThat(cluster.perNode(own))
                .containsExactly(
                        "PVC default/pod-v was not created for pod default/pod (pod is not owner)");
    }

    @Test
    void provisioningRestrictsToTheSelectedNode() {
        var being =
                claim("data", "storageClassName: ssd")
                        .replace(
                                "name: data}",
                                "name: data, annotations: {volume.kubernetes.io/selected-node:"
                                        + " n1}}");
        var cluster =
                PlacementFixture.inZones("a", "b")
                        .add(storageClass("ssd", "disks.example.com", ""))
                        .add(being);
        assertThat(cluster.perNode(USES)).containsExactly(NONE, "fits");
    }

    @Test
    void aVolumeOfADeletedClaimIsNotBoundToARecreatedOne() {
        var kept =
                volume("one", "a", "10Gi")
                        .replace(
                                "spec: {",
                                "spec: {claimRef: {namespace: default, name: data, uid: old}, ");
        var cluster =
                PlacementFixture.inZones("a")
                        .add(LOCAL)
                        .add(
                                claim("data", "storageClassName: local")
                                        .replace("name: data}", "name: data, uid: new}"))
                        .add(kept);
        assertThat(cluster.perNode(USES)).containsExactly(NONE);
        cluster.add(kept.replace("uid: old", "uid: new").replace("name: one", "name: two"));
        assertThat(cluster.perNode(USES)).containsExactly("fits");
    }
}
