package dev.berth.control.schedule;

import dev.berth.core.place.ClusterEvent;
import dev.berth.core.snapshot.ClusterVolumes;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.storage.PersistentVolume;
import dev.berth.model.api.storage.PersistentVolumeClaim;
import dev.berth.model.api.storage.StorageClass;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Rules of volumes, volume claims and storage classes. Belongs to the scheduler's thread.
///
/// The kinds are optional and need each other: while one of them is not readable, the others alone
/// would lead to wrong rejections, and volumes are assumed to be accessible from every node.
final class StorageKindRules {

    private final ClusterView view;
    private final Consumer<ClusterEvent> events;
    private final Set<Kind<?>> unlisted =
            new HashSet<>(
                    List.of(
                            Kinds.PERSISTENT_VOLUME_CLAIM,
                            Kinds.PERSISTENT_VOLUME,
                            Kinds.STORAGE_CLASS));
    private ClusterVolumes storage = ClusterVolumes.UNKNOWN;

    /// Whether the current change may help unschedulable pods.
    private boolean hasRelevantChange;

    StorageKindRules(ClusterView view, Consumer<ClusterEvent> events) {
        this.view = view;
        this.events = events;
    }

    /// One of the kinds is not readable.
    void forget(Kind<?> kind) {
        unlisted.add(kind);
        hasRelevantChange = true;
        apply();
    }

    private void applied(Kind<?> kind, boolean isList) {
        if (isList) {
            unlisted.remove(kind);
            hasRelevantChange = true;
        }
        apply();
    }

    private void apply() {
        var known = unlisted.isEmpty() ? storage.complete(true) : ClusterVolumes.UNKNOWN;
        view.change(snapshot -> snapshot.with(snapshot.context().with(known)));
        if (hasRelevantChange) {
            hasRelevantChange = false;
            events.accept(ClusterEvent.VOLUMES);
        }
    }

    KindRules<ObjectRef, PersistentVolumeClaim> claims() {
        return new KindRules<>() {
            @Override
            public ObjectRef key(PersistentVolumeClaim claim) {
                return claim.ref();
            }

            @Override
            public void put(
                    PersistentVolumeClaim now,
                    Optional<PersistentVolumeClaim> before,
                    boolean isListed) {
                storage = storage.with(now);
                hasRelevantChange |= before.filter(old -> isEqual(old, now)).isEmpty();
            }

            @Override
            public void remove(PersistentVolumeClaim last) {
                storage = storage.withoutClaim(last.ref());
            }

            @Override
            public void applied(boolean isList) {
                StorageKindRules.this.applied(Kinds.PERSISTENT_VOLUME_CLAIM, isList);
            }
        };
    }

    /// True when no change may help a pod: claim status is updated often. The claim is stored all
    /// the same, because bindings wait for its version.
    private static boolean isEqual(PersistentVolumeClaim old, PersistentVolumeClaim claim) {
        return old.spec().equals(claim.spec())
                && old.metadata().uid().equals(claim.metadata().uid())
                && old.metadata().isDeleting() == claim.metadata().isDeleting()
                && old.metadata().ownerReferences().equals(claim.metadata().ownerReferences())
                && old.metadata().annotations().equals(claim.metadata().annotations());
    }

    KindRules<String, PersistentVolume> volumes() {
        return new KindRules<>() {
            @Override
            public String key(PersistentVolume volume) {
                return volume.metadata().name();
            }

            @Override
            public void put(
                    PersistentVolume now, Optional<PersistentVolume> before, boolean isListed) {
                storage = storage.with(now);
                hasRelevantChange = true;
            }

            @Override
            public void remove(PersistentVolume last) {
                storage = storage.withoutVolume(last.metadata().name());
            }

            @Override
            public void applied(boolean isList) {
                StorageKindRules.this.applied(Kinds.PERSISTENT_VOLUME, isList);
            }
        };
    }

    KindRules<String, StorageClass> classes() {
        return new KindRules<>() {
            @Override
            public String key(StorageClass storageClass) {
                return storageClass.metadata().name();
            }

            @Override
            public void put(StorageClass now, Optional<StorageClass> before, boolean isListed) {
                storage = storage.with(now);
                hasRelevantChange = true;
            }

            @Override
            public void remove(StorageClass last) {
                storage = storage.withoutClass(last.metadata().name());
            }

            @Override
            public void applied(boolean isList) {
                StorageKindRules.this.applied(Kinds.STORAGE_CLASS, isList);
            }
        };
    }
}
