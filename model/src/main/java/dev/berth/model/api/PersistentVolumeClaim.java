package dev.berth.model.api;

import java.util.Optional;

/// The parts of a claim to storage that decide which nodes its pods can use.
public record PersistentVolumeClaim(
        ObjectMeta metadata, PersistentVolumeClaimSpec spec, String phase)
        implements KubernetesObject {

    /// Set once claim and volume both say that they belong together.
    public static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";

    /// The node for whose pod a volume is to be made.
    public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    /// True when it has its volume, and the volume knows.
    public boolean isBound() {
        return !spec.volumeName().isEmpty() && metadata.annotations().containsKey(BIND_COMPLETED);
    }

    /// Where the volume that is being made has to be reached from.
    public Optional<String> selectedNode() {
        return Optional.ofNullable(metadata.annotations().get(SELECTED_NODE));
    }
}
