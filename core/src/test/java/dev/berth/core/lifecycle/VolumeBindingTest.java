package dev.berth.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.lifecycle.VolumeBinding.Command;
import dev.berth.core.snapshot.ClusterVolumes;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.storage.PersistentVolume;
import dev.berth.model.api.storage.PersistentVolumeClaim;
import dev.berth.model.api.storage.StorageClass;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.util.List;
import org.junit.jupiter.api.Test;

class VolumeBindingTest {

    private static final StorageClass WAITING =
            (StorageClass)
                    read(
                            """
                            {apiVersion: storage.k8s.io/v1, kind: StorageClass,
                             metadata: {name: local}, provisioner: kubernetes.io/no-provisioner,
                             volumeBindingMode: WaitForFirstConsumer}
                            """);

    private static KubernetesObject read(String yaml) {
        if (!(YamlReader.read(yaml) instanceof ParseResult.Documents(var documents))) {
            throw new IllegalArgumentException(yaml);
        }
        var tree = (JsonObject) documents.getFirst().root();
        return new Codec().readTree(tree, UnknownFieldPolicy.STRICT).orThrow();
    }

    private static PersistentVolume volume(String spec, String phase) {
        return (PersistentVolume)
                read(
                        """
                        {apiVersion: v1, kind: PersistentVolume, metadata: {name: disk},
                         spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], %s},
                         status: {phase: %s}}
                        """
                                .formatted(spec, phase));
    }

    private static PersistentVolumeClaim claim(String annotations, String spec, String phase) {
        return (PersistentVolumeClaim)
                read(
                        """
                        {apiVersion: v1, kind: PersistentVolumeClaim,
                         metadata: {namespace: ns, name: a, uid: a-uid, annotations: {%s}},
                         spec: {accessModes: [ReadWriteOnce],
                           resources: {requests: {storage: 1Gi}}, %s},
                         status: {phase: %s}}
                        """
                                .formatted(annotations, spec, phase));
    }

    private static ClusterVolumes storage(PersistentVolume volume, PersistentVolumeClaim claim) {
        return ClusterVolumes.of(List.of(claim), List.of(volume), List.of(WAITING), true);
    }

    private static final String OURS = "claimRef: {namespace: ns, name: a, uid: a-uid}";

    @Test
    void anImmediateClaimIsBoundToAnAvailableVolume() {
        var claim = claim("", "storageClassName: ''", "Pending");
        var free = volume("volumeMode: Filesystem", "Available");
        assertThat(VolumeBinding.of(claim, storage(free, claim)))
                .contains(new Command.SetClaimRef(free, claim));
        var ours = volume(OURS, "Available");
        assertThat(VolumeBinding.of(claim, storage(ours, claim)))
                .contains(new Command.Complete(claim, ours));
        var others = volume(OURS.replace("a-uid", "old-uid"), "Released");
        assertThat(VolumeBinding.of(claim, storage(others, claim))).isEmpty();
    }

    @Test
    void aWaitingClaimIsBoundOnlyToAVolumeThatRefersToIt() {
        var claim = claim("", "storageClassName: local", "Pending");
        var free = volume("storageClassName: local", "Available");
        assertThat(VolumeBinding.of(claim, storage(free, claim))).isEmpty();
        var ours = volume("storageClassName: local, " + OURS, "Available");
        assertThat(VolumeBinding.of(claim, storage(ours, claim)))
                .contains(new Command.Complete(claim, ours));
    }

    @Test
    void aClaimWithVolumeNameIsBoundInSteps() {
        var named = claim("", "volumeName: disk", "Pending");
        var free = volume("volumeMode: Filesystem", "Available");
        assertThat(VolumeBinding.of(named, storage(free, named)))
                .contains(new Command.SetClaimRef(free, named));
        var ours = volume(OURS, "Available");
        assertThat(VolumeBinding.of(named, storage(ours, named)))
                .contains(new Command.Complete(named, ours));
        var completed = "pv.kubernetes.io/bind-completed: 'yes'";
        var untold = claim(completed, "volumeName: disk", "Pending");
        assertThat(VolumeBinding.of(untold, storage(ours, untold)))
                .contains(new Command.Complete(untold, ours));
        var done = claim(completed, "volumeName: disk", "Bound");
        assertThat(VolumeBinding.of(done, storage(ours, done))).isEmpty();
    }

    @Test
    void volumePhasesAreWritten() {
        var claim = claim("", "volumeName: disk", "Bound");
        var free = volume("volumeMode: Filesystem", "Pending");
        assertThat(VolumeBinding.of(free, storage(free, claim)))
                .contains(new Command.SetPhase(free, "Available"));
        var ours = volume(OURS, "Available");
        assertThat(VolumeBinding.of(ours, storage(ours, claim)))
                .contains(new Command.SetPhase(ours, "Bound"));
        var left = volume(OURS.replace("a-uid", "old-uid"), "Bound");
        assertThat(VolumeBinding.of(left, storage(left, claim)))
                .contains(new Command.SetPhase(left, "Released"));
        var bound = volume(OURS, "Bound");
        assertThat(VolumeBinding.of(bound, storage(bound, claim))).isEmpty();
    }
}
