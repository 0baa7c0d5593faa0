package dev.berth.core.place;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.api.PodGroup;
import java.util.Optional;

/// What placing a pod depends on besides nodes, devices and other pods.
public record ClusterContext(
        ClusterVolumes storage,
        NamespaceLabels namespaces,
        PersistentSortedMap<ObjectRef, PodGroup> groups) {

    /// Nothing is known.
    public static final ClusterContext UNKNOWN =
            new ClusterContext(ClusterVolumes.UNKNOWN, NamespaceLabels.UNLABELLED);

    /// Without groups of pods.
    public ClusterContext(ClusterVolumes storage, NamespaceLabels namespaces) {
        this(storage, namespaces, PersistentSortedMap.of());
    }

    /// Why the pod's volumes let it go nowhere, whatever the nodes are like.
    public Optional<String> volumeProblem(Pod pod, ClusterUsage state) {
        return pod.spec().volumes().isEmpty()
                ? Optional.empty()
                : PodVolumes.of(pod, storage, state.volumes()).problem();
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
