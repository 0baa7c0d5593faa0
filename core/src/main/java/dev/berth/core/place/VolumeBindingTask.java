package dev.berth.core.place;

import dev.berth.core.place.filter.PodVolumes;
import dev.berth.core.snapshot.ClusterVolumes;
import dev.berth.core.snapshot.VolumeClaims;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.storage.PersistentVolume;
import dev.berth.model.api.storage.PersistentVolumeClaim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A write for a claim with volume binding mode WaitForFirstConsumer after its pod got a node, and
/// the progress of its effect. The PersistentVolume controller and the provisioner act on it.
public sealed interface VolumeBindingTask {

    /// The claim at the time of the decision.
    PersistentVolumeClaim claim();

    /// Bind an existing volume to the claim.
    record Bind(PersistentVolumeClaim claim, String volume) implements VolumeBindingTask {

        private Progress progressOf(PersistentVolumeClaim now, ClusterVolumes storage) {
            var other = now.spec().volumeName();
            if (!other.isEmpty() && !other.equals(volume)) {
                return failed(
                        ("persistentvolumeclaim \"%s\" was bound to persistentvolume \"%s\" in the"
                                        + " meantime")
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

    /// Provision a volume that is accessible from a node.
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
                // The provisioner could not provision a volume for this node.
                return failed("selectedNode annotation reset for PVC \"%s\"".formatted(name));
            }
            return now.selectedNode().get().equals(node)
                    ? new Progress.Pending()
                    : failed("provisioning failed for PVC \"%s\"".formatted(name));
        }

        private static Progress progressOf(
                PersistentVolumeClaim now, Optional<PersistentVolume> volume, Node target) {
            if (volume.isEmpty()) {
                // Watch events of volumes may arrive later than those of claims.
                return new Progress.Pending();
            }
            return PodVolumes.reaches(volume.get(), target)
                    ? bound(now)
                    : failed(
                            "pv \"%s\" node affinity doesn't match node \"%s\""
                                    .formatted(volume.get().metadata().name(), target.name()));
        }
    }

    /// Progress of a task.
    sealed interface Progress {

        record Done() implements Progress {}

        record Pending() implements Progress {}

        /// The task cannot complete; the pod must be scheduled again.
        record Failed(String message) implements Progress {}
    }

    /// The tasks for a pod that is placed. None while the volumes are incomplete: then the kubelet
    /// reports missing volumes.
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

    /// Progress after the write.
    ///
    /// @param node the current state of the pod's node
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
