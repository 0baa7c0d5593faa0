package dev.berth.core.place;

import dev.berth.model.api.Node;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.PersistentVolume;
import dev.berth.model.api.PersistentVolumeClaim;
import dev.berth.model.api.Pod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What has to be written for a claim that waits for its first pod, once that pod has its node, and
/// when it has come true. Others act on it: who binds volumes, and who makes them.
public sealed interface VolumeBindingTask {

    /// The claim as it was when the pod got its node.
    PersistentVolumeClaim claim();

    /// A volume that is there is to belong to the claim.
    record Bind(PersistentVolumeClaim claim, String volume) implements VolumeBindingTask {

        private Progress progressOf(PersistentVolumeClaim now, ClusterVolumes storage) {
            var other = now.spec().volumeName();
            if (!other.isEmpty() && !other.equals(volume)) {
                return failed(
                        "persistentvolumeclaim \"%s\" got persistentvolume \"%s\" in the meantime"
                                .formatted(now.metadata().name(), other));
            }
            var found = storage.volume(volume);
            if (found.isEmpty()) {
                return failed("persistentvolume \"%s\" not found".formatted(volume));
            }
            return found.flatMap(one -> one.spec().claim()).filter(one -> one.is(now)).isPresent()
                    ? bound(now)
                    : failed("ClaimRef got reset for pv \"%s\"".formatted(volume));
        }
    }

    /// A volume is to be made that a node reaches.
    record Provision(PersistentVolumeClaim claim, String node) implements VolumeBindingTask {

        private Progress progressOf(
                PersistentVolumeClaim now, ClusterVolumes storage, Optional<Node> target) {
            var name = now.metadata().name();
            if (target.isEmpty()) {
                return failed("node \"%s\" not found".formatted(node));
            }
            if (!now.spec().volumeName().isEmpty()) {
                return progressOf(now, storage.volume(now.spec().volumeName()), target.get());
            }
            if (now.selectedNode().isEmpty()) {
                // Who makes volumes found that it cannot make one there.
                return failed("selectedNode annotation reset for PVC \"%s\"".formatted(name));
            }
            return now.selectedNode().get().equals(node)
                    ? new Progress.Pending()
                    : failed("provisioning failed for PVC \"%s\"".formatted(name));
        }

        private static Progress progressOf(
                PersistentVolumeClaim now, Optional<PersistentVolume> volume, Node target) {
            if (volume.isEmpty()) {
                // News of volumes may come later than news of claims.
                return new Progress.Pending();
            }
            return PodVolumes.reaches(volume.get(), target)
                    ? bound(now)
                    : failed(
                            "pv \"%s\" node affinity doesn't match node \"%s\""
                                    .formatted(volume.get().metadata().name(), target.name()));
        }
    }

    /// How far it is.
    sealed interface Progress {

        record Done() implements Progress {}

        record Pending() implements Progress {}

        /// It will not come true; the pod needs another decision.
        record Failed(String message) implements Progress {}
    }

    /// What has to be written for a pod that goes where it fits. Nothing as long as storage is not
    /// known: then whoever runs the pod says what is missing.
    static List<VolumeBindingTask> of(Pod pod, NodeFit.Fits fits, ClusterVolumes storage) {
        if (!storage.isComplete() || pod.spec().volumes().isEmpty()) {
            return List.of();
        }
        Map<ObjectRef, VolumeBindingTask> tasks = new LinkedHashMap<>();
        for (var use : VolumeClaims.of(pod)) {
            storage.claim(use.ref())
                    .filter(claim -> claim.spec().volumeName().isEmpty())
                    .ifPresent(claim -> tasks.put(use.ref(), task(claim, fits)));
        }
        return new ArrayList<>(tasks.values());
    }

    private static VolumeBindingTask task(PersistentVolumeClaim claim, NodeFit.Fits fits) {
        var volume = fits.volumes().get(claim.ref());
        return volume == null ? new Provision(claim, fits.node()) : new Bind(claim, volume);
    }

    /// How far it is after it was written.
    ///
    /// @param node where the pod goes, as it is now
    default Progress progress(ClusterVolumes storage, Optional<Node> node) {
        var now =
                storage.claim(claim().ref())
                        .filter(one -> one.metadata().uid().equals(claim().metadata().uid()));
        if (now.isEmpty()) {
            return failed(
                    "persistentvolumeclaim \"%s\" not found".formatted(claim().metadata().name()));
        }
        return switch (this) {
            case Bind bind -> bind.progressOf(now.get(), storage);
            case Provision make -> make.progressOf(now.get(), storage, node);
        };
    }

    private static Progress failed(String message) {
        return new Progress.Failed(message);
    }

    private static Progress bound(PersistentVolumeClaim claim) {
        return claim.isBound() ? new Progress.Done() : new Progress.Pending();
    }
}
