package dev.berth.app.cluster;

import dev.berth.core.snapshot.ClusterContext;
import dev.berth.core.snapshot.ClusterVolumes;
import dev.berth.core.snapshot.NamespaceLabels;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.storage.PersistentVolume;
import dev.berth.model.api.storage.PersistentVolumeClaim;
import dev.berth.model.api.storage.StorageClass;
import dev.berth.model.json.JsonObject;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/// Storage objects and namespaces of a cluster. A later object replaces one of the same name.
final class ContextObjects {

    private final Map<ObjectRef, PersistentVolumeClaim> volumeClaims = new LinkedHashMap<>();
    private final Map<ObjectRef, PersistentVolume> volumes = new LinkedHashMap<>();
    private final Map<ObjectRef, StorageClass> storageClasses = new LinkedHashMap<>();
    private final Map<String, Map<String, String>> namespaces = new HashMap<>();
    private boolean knowsStorage;

    void keep(PersistentVolumeClaim claim) {
        volumeClaims.put(claim.ref(), claim);
    }

    void keepIfNew(PersistentVolumeClaim claim) {
        volumeClaims.putIfAbsent(claim.ref(), claim);
    }

    void keep(PersistentVolume volume) {
        volumes.put(volume.metadata().ref(), volume);
    }

    void keep(StorageClass storageClass) {
        storageClasses.put(storageClass.metadata().ref(), storageClass);
    }

    void keepNamespace(JsonObject metadata) {
        var labels = metadata.objectOrEmpty("labels");
        var all = new HashMap<String, String>();
        labels.names().forEach(name -> all.put(name, labels.text(name)));
        namespaces.put(metadata.text("name"), all);
    }

    /// Sets whether all storage objects of the cluster were read.
    void knowsStorage(boolean known) {
        knowsStorage = known;
    }

    ClusterContext context() {
        return new ClusterContext(
                ClusterVolumes.of(
                        volumeClaims.values(),
                        volumes.values(),
                        storageClasses.values(),
                        knowsStorage),
                NamespaceLabels.of(namespaces));
    }
}
