package dev.berth.model.api;

import java.util.List;

/// How volumes of a sort are made, when, and from where they can be reached.
///
/// @param volumeBindingMode `Immediate`, also when empty, or `WaitForFirstConsumer`
/// @param allowedTopologies requirements on labels of nodes; a node that meets one of them can
///   reach the volumes, and any node when there are none
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

    /// True when volumes are made when they are asked for.
    public boolean makesVolumes() {
        return !provisioner.isEmpty() && !provisioner.equals(NO_PROVISIONER);
    }

    /// True when a claim is bound only once a pod that uses it has its node.
    public boolean waitsForPod() {
        return volumeBindingMode.equals(WAIT);
    }

    /// True for the class of claims that name none.
    public boolean isDefault() {
        return "true".equals(metadata.annotations().get(DEFAULT));
    }
}
