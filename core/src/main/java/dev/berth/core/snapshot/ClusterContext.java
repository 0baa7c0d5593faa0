package dev.berth.core.snapshot;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.PodGroup;

/// The inputs of placement besides nodes, devices and pods: volumes, namespace labels, pod groups.
public record ClusterContext(
        ClusterVolumes storage,
        NamespaceLabels namespaces,
        PersistentSortedMap<ObjectRef, PodGroup> groups) {

    /// No volumes, namespaces or groups are known.
    public static final ClusterContext UNKNOWN =
            new ClusterContext(ClusterVolumes.UNKNOWN, NamespaceLabels.UNLABELLED);

    /// A context without pod groups.
    public ClusterContext(ClusterVolumes storage, NamespaceLabels namespaces) {
        this(storage, namespaces, PersistentSortedMap.of());
    }

    public ClusterContext with(ClusterVolumes changed) {
        return new ClusterContext(changed, namespaces, groups);
    }

    public ClusterContext with(NamespaceLabels others) {
        return new ClusterContext(storage, others, groups);
    }

    public ClusterContext with(PodGroup group) {
        return new ClusterContext(storage, namespaces, groups.with(group.ref(), group));
    }

    public ClusterContext withoutGroup(ObjectRef ref) {
        return new ClusterContext(storage, namespaces, groups.without(ref));
    }
}
