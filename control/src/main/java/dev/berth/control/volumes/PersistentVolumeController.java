package dev.berth.control.volumes;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache.Listener;
import dev.berth.control.loop.KeyedControlLoop;
import dev.berth.control.loop.SharedCaches;
import dev.berth.core.lifecycle.VolumeBinding;
import dev.berth.core.snapshot.ClusterVolumes;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.storage.PersistentVolume;
import dev.berth.model.api.storage.PersistentVolumeClaim;
import dev.berth.model.api.storage.StorageClass;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.workqueue.WorkResult;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Binds PersistentVolumes and PersistentVolumeClaims, one write at a time. Keys without a
/// namespace are volumes.
public final class PersistentVolumeController extends KeyedControlLoop<ObjectRef> {

    private static final ResourcePath VOLUMES = ResourcePath.of(Kinds.PERSISTENT_VOLUME);
    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.PERSISTENT_VOLUME_CLAIM);
    private static final String BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

    private final Cluster cluster;

    // Written under the lock of this, since three watches change it.
    private volatile ClusterVolumes volumes = ClusterVolumes.UNKNOWN;

    public PersistentVolumeController(Cluster cluster, SharedCaches caches) {
        this.cluster = cluster;
        needs(caches.of(Kinds.STORAGE_CLASS)).addListener(Listener.of(this::onClass));
        needs(caches.of(Kinds.PERSISTENT_VOLUME)).addListener(Listener.of(this::onVolume));
        needs(caches.of(Kinds.PERSISTENT_VOLUME_CLAIM)).addListener(Listener.of(this::onClaim));
    }

    private void onClass(Optional<StorageClass> before, Optional<StorageClass> after) {
        update(all ->
                after.map(all::with)
                        .orElseGet(() -> all.withoutClass(before.orElseThrow().metadata().name())));
        addUnbound();
    }

    private synchronized void update(UnaryOperator<ClusterVolumes> change) {
        volumes = change.apply(volumes);
    }

    private void onVolume(Optional<PersistentVolume> before, Optional<PersistentVolume> after) {
        update(all ->
                after.map(all::with)
                        .orElseGet(
                                () -> all.withoutVolume(before.orElseThrow().metadata().name())));
        after.ifPresent(volume -> {
            add(volume.ref());
            volume.spec().claim().ifPresentOrElse(owner -> add(owner.claim()), this::addUnbound);
        });
    }

    /// Queues unbound claims, which may get a volume now.
    private void addUnbound() {
        for (var claim : volumes.claims().values()) {
            if (claim.spec().volumeName().isEmpty()) {
                add(claim.ref());
            }
        }
    }

    private void onClaim(
            Optional<PersistentVolumeClaim> before, Optional<PersistentVolumeClaim> after) {
        update(all ->
                after.map(all::with).orElseGet(() -> all.withoutClaim(before.orElseThrow().ref())));
        after.ifPresent(claim -> add(claim.ref()));
        after.or(() -> before)
                .map(claim -> claim.spec().volumeName())
                .filter(name -> !name.isEmpty())
                .ifPresent(name -> add(new ObjectRef("", name)));
    }

    @Override
    protected WorkResult reconcile(ObjectRef key, Instant now) {
        var all = volumes;
        var command =
                key.namespace().isEmpty()
                        ? all.volume(key.name()).flatMap(one -> VolumeBinding.of(one, all))
                        : all.claim(key).flatMap(one -> VolumeBinding.of(one, all));
        return command.map(this::perform).orElse(WorkResult.DONE);
    }

    private WorkResult perform(VolumeBinding.Command command) {
        return switch (command) {
            case VolumeBinding.Command.SetClaimRef(var volume, var claim) ->
                    setClaimRef(volume, claim);
            case VolumeBinding.Command.Complete(var claim, var volume) -> complete(claim, volume);
            case VolumeBinding.Command.SetPhase(var volume, var phase) ->
                    patch(
                                    VOLUMES,
                                    volume.ref(),
                                    "status",
                                    JsonObject.of("status", JsonObject.of("phase", Json.of(phase))))
                            .asWorkResult();
        };
    }

    private WorkResult setClaimRef(PersistentVolume volume, PersistentVolumeClaim claim) {
        var meta = claim.metadata();
        var owner =
                JsonObject.of("apiVersion", Json.of("v1"))
                        .with("kind", Json.of("PersistentVolumeClaim"))
                        .with("namespace", Json.of(meta.namespace()))
                        .with("name", Json.of(meta.name()))
                        .with("uid", Json.of(meta.uid().value()));
        // The resourceVersion ensures that the volume has not been bound meanwhile.
        var metadata =
                JsonObject.of("resourceVersion", Json.of(volume.metadata().resourceVersion()));
        if (volume.spec().claim().isEmpty()) {
            metadata = metadata.with("annotations", JsonObject.of(BY_CONTROLLER, Json.of("yes")));
        }
        var patch =
                JsonObject.of("metadata", metadata).with("spec", JsonObject.of("claimRef", owner));
        return patch(VOLUMES, volume.ref(), "", patch).asWorkResult();
    }

    private WorkResult complete(PersistentVolumeClaim claim, PersistentVolume volume) {
        if (!claim.isBound()) {
            var annotations = JsonObject.of(PersistentVolumeClaim.BIND_COMPLETED, Json.of("yes"));
            if (claim.spec().volumeName().isEmpty()) {
                annotations = annotations.with(BY_CONTROLLER, Json.of("yes"));
            }
            var metadata =
                    JsonObject.of("uid", Json.of(claim.metadata().uid().value()))
                            .with("annotations", annotations);
            var name = JsonObject.of("volumeName", Json.of(volume.metadata().name()));
            var result =
                    patch(
                            CLAIMS,
                            claim.ref(),
                            "",
                            JsonObject.of("metadata", metadata).with("spec", name));
            if (!result.isDone()) {
                return result.asWorkResult();
            }
        }
        var capacity = JsonObject.EMPTY;
        for (var entry : volume.spec().capacity().entrySet()) {
            capacity = capacity.with(entry.getKey(), Json.of(entry.getValue().toString()));
        }
        var modes = volume.spec().accessModes().stream().map(Json::of).toList();
        var status =
                JsonObject.of("phase", Json.of("Bound"))
                        .with("accessModes", Json.array(modes))
                        .with("capacity", capacity);
        return patch(CLAIMS, claim.ref(), "status", JsonObject.of("status", status)).asWorkResult();
    }

    private RequestResult patch(
            ResourcePath address, ObjectRef ref, String subresource, JsonObject patch) {
        return cluster.send(
                new Request.Patch(
                        address,
                        ref.namespace(),
                        ref.name(),
                        subresource,
                        Request.PatchType.MERGE,
                        patch));
    }
}
