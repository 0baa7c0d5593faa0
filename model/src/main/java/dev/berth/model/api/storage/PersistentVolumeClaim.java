package dev.berth.model.api.storage;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectMeta;
import java.util.Optional;

/// The fields of a PersistentVolumeClaim that affect scheduling.
public record PersistentVolumeClaim(
        ObjectMeta metadata, PersistentVolumeClaimSpec spec, String phase)
        implements KubernetesObject {

    /// Annotation that is set when claim and volume refer to each other.
    public static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";

    /// Annotation with the node for which a volume is provisioned.
    public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    /// True when the claim is bound and binding is complete.
    public boolean isBound() {
        return !spec.volumeName().isEmpty() && metadata.annotations().containsKey(BIND_COMPLETED);
    }

    /// The node that must be able to access the provisioned volume.
    public Optional<String> selectedNode() {
        return Optional.ofNullable(metadata.annotations().get(SELECTED_NODE));
    }
}
