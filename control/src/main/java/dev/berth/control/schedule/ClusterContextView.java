package dev.berth.control.schedule;

import dev.berth.core.place.ClusterEvent;
import dev.berth.core.snapshot.ClusterContext;
import dev.berth.core.snapshot.ClusterVolumes;
import dev.berth.core.snapshot.NamespaceLabels;
import dev.berth.model.api.PersistentVolume;
import dev.berth.model.api.PersistentVolumeClaim;
import dev.berth.model.api.StorageClass;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Applies watch events of volumes, storage classes and namespaces to the snapshot of a view.
/// Belongs to the scheduler's thread.
final class ClusterContextView {

    private final ClusterView view;
    private final Consumer<ClusterEvent> listener;

    /// The storage kinds whose first list has not arrived.
    private final Set<Kind<?>> unlisted =
            new HashSet<>(
                    List.of(
                            Kinds.PERSISTENT_VOLUME_CLAIM,
                            Kinds.PERSISTENT_VOLUME,
                            Kinds.STORAGE_CLASS));

    private ClusterVolumes storage = ClusterVolumes.UNKNOWN;

    /// @param listener receives events that may help unschedulable pods
    ClusterContextView(ClusterView view, Consumer<ClusterEvent> listener) {
        this.view = view;
        this.listener = listener;
    }

    private ClusterContext known() {
        return view.snapshot().context();
    }

    void put(PersistentVolumeClaim claim) {
        var before = storage.claim(claim.ref());
        storage = storage.with(claim);
        if (before.filter(old -> isEquivalent(old, claim)).isEmpty()) {
            changed();
        } else {
            fold();
        }
    }

    /// True when no relevant field changed: claim status is updated often.
    private static boolean isEquivalent(PersistentVolumeClaim old, PersistentVolumeClaim claim) {
        return old.spec().equals(claim.spec())
                && old.metadata().uid().equals(claim.metadata().uid())
                && old.metadata().isDeleting() == claim.metadata().isDeleting()
                && old.metadata().ownerReferences().equals(claim.metadata().ownerReferences())
                && old.metadata().annotations().equals(claim.metadata().annotations());
    }

    void remove(PersistentVolumeClaim claim) {
        storage = storage.withoutClaim(claim.ref());
        fold();
    }

    void replaceVolumeClaims(Iterable<PersistentVolumeClaim> all) {
        var next =
                ClusterVolumes.of(
                        List.of(), storage.volumes().values(), storage.classes().values(), false);
        for (var claim : all) {
            next = next.with(claim);
        }
        listed(Kinds.PERSISTENT_VOLUME_CLAIM, next);
    }

    void put(PersistentVolume volume) {
        storage = storage.with(volume);
        changed();
    }

    void remove(PersistentVolume volume) {
        storage = storage.withoutVolume(volume.metadata().name());
        fold();
    }

    void replaceVolumes(Iterable<PersistentVolume> all) {
        var next =
                ClusterVolumes.of(
                        storage.claims().values(), List.of(), storage.classes().values(), false);
        for (var volume : all) {
            next = next.with(volume);
        }
        listed(Kinds.PERSISTENT_VOLUME, next);
    }

    void put(StorageClass one) {
        storage = storage.with(one);
        changed();
    }

    void remove(StorageClass one) {
        storage = storage.withoutClass(one.metadata().name());
        fold();
    }

    void replaceStorageClasses(Iterable<StorageClass> all) {
        var next =
                ClusterVolumes.of(
                        storage.claims().values(), storage.volumes().values(), List.of(), false);
        for (var one : all) {
            next = next.with(one);
        }
        listed(Kinds.STORAGE_CLASS, next);
    }

    private void listed(Kind<?> kind, ClusterVolumes next) {
        storage = next;
        unlisted.remove(kind);
        changed();
    }

    /// One storage kind is not readable. The others alone would lead to wrong rejections, so that
    /// volumes are assumed to be accessible from every node.
    void forgetStorage(Kind<?> kind) {
        unlisted.add(kind);
        changed();
    }

    private void changed() {
        fold();
        listener.accept(ClusterEvent.VOLUMES);
    }

    private void fold() {
        var known = unlisted.isEmpty() ? storage.complete(true) : ClusterVolumes.UNKNOWN;
        view.assume(snapshot -> snapshot.with(snapshot.context().with(known)));
    }

    void putNamespace(JsonObject namespace) {
        var before = known().namespaces();
        var name = name(namespace);
        var now = before.with(name, labels(namespace));
        // Most updates of namespaces do not change labels.
        if (!now.labels(name).equals(before.labels(name))) {
            replace(now);
        }
    }

    void removeNamespace(JsonObject namespace) {
        replace(known().namespaces().without(name(namespace)));
    }

    void replaceNamespaces(Iterable<JsonObject> all) {
        var namespaces = NamespaceLabels.UNLABELLED;
        for (var namespace : all) {
            namespaces = namespaces.with(name(namespace), labels(namespace));
        }
        replace(namespaces);
    }

    /// Namespaces are not readable: each has only the label with its name.
    void forgetNamespaces() {
        replace(NamespaceLabels.UNLABELLED);
    }

    private void replace(NamespaceLabels namespaces) {
        view.assume(snapshot -> snapshot.with(snapshot.context().with(namespaces)));
        listener.accept(ClusterEvent.NAMESPACE);
    }

    private static String name(JsonObject namespace) {
        return namespace.objectOrEmpty("metadata").text("name");
    }

    private static Map<String, String> labels(JsonObject namespace) {
        var labels = namespace.objectOrEmpty("metadata").objectOrEmpty("labels");
        var all = new HashMap<String, String>();
        labels.names().forEach(key -> all.put(key, labels.text(key)));
        return all;
    }
}
