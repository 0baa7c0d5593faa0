package dev.berth.model.api.storage;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.selector.NodeSelectorTerm;
import java.util.List;

/// A StorageClass: provisioner, binding mode and topologies.
///
/// @param volumeBindingMode `Immediate`, also when empty, or `WaitForFirstConsumer`
/// @param allowedTopologies terms on node labels; volumes are accessible from nodes that match a
///   term, and from all nodes if there are none
public record StorageClass(
        ObjectMeta metadata,
        String provisioner,
        String volumeBindingMode,
        List<NodeSelectorTerm> allowedTopologies)
        implements KubernetesObject {

    private static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";
    private static final String WAIT = "WaitForFirstConsumer";
    private static final String DEFAULT = "storageclass.kubernetes.io/is-default-class";

    public StorageClass {
        allowedTopologies = List.copyOf(allowedTopologies);
    }

    /// True when volumes are provisioned dynamically.
    public boolean provisionsVolumes() {
        return !provisioner.isEmpty() && !provisioner.equals(NO_PROVISIONER);
    }

    /// True for binding mode `WaitForFirstConsumer`.
    public boolean waitsForFirstConsumer() {
        return volumeBindingMode.equals(WAIT);
    }

    /// True for the default class.
    public boolean isDefault() {
        return "true".equals(metadata.annotations().get(DEFAULT));
    }
}
