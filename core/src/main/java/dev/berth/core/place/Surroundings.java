package dev.berth.core.place;

import dev.berth.core.persistent.Sorted;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.api.PodGroup;
import java.util.Optional;

/// What placing a pod depends on besides nodes, devices and other pods.
public record Surroundings(
        Storage storage, Namespaces namespaces, Sorted<ObjectRef, PodGroup> groups) {

    /// Nothing is known.
    public static final Surroundings UNKNOWN =
            new Surroundings(Storage.UNKNOWN, Namespaces.UNLABELLED);

    /// Without groups of pods.
    public Surroundings(Storage storage, Namespaces namespaces) {
        this(storage, namespaces, Sorted.of());
    }

    /// Why the pod's volumes let it go nowhere, whatever the nodes are like.
    public Optional<String> volumeProblem(Pod pod, Occupancy state) {
        return pod.spec().volumes().isEmpty()
                ? Optional.empty()
                : PodVolumes.of(pod, storage, state.volumes()).problem();
    }

    public Surroundings with(Storage changed) {
        return new Surroundings(changed, namespaces, groups);
    }

    public Surroundings with(Namespaces others) {
        return new Surroundings(storage, others, groups);
    }

    public Surroundings with(PodGroup group) {
        return new Surroundings(storage, namespaces, groups.with(group.ref(), group));
    }

    public Surroundings withoutGroup(ObjectRef ref) {
        return new Surroundings(storage, namespaces, groups.without(ref));
    }
}
