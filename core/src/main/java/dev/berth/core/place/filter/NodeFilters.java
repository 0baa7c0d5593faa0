package dev.berth.core.place.filter;

import dev.berth.core.place.NodeFilter;
import dev.berth.core.taint.NodeTaints;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import java.util.List;

/// The node filters in the order of kube-scheduler. Device allocation comes after all of them: it
/// is the second half of plugin DynamicResources ([dev.berth.core.place.PodDeviceAllocation]).
public final class NodeFilters {

    public static final List<NodeFilter> ALL =
            List.of(
                    new NodeUnschedulableFilter(),
                    new NodeNameFilter(),
                    new TaintTolerationFilter(),
                    new NodeAffinityFilter(),
                    new NodePortsFilter(),
                    new NodeResourcesFitFilter(),
                    new VolumeRestrictionsFilter(),
                    new VolumeBindingFilter(),
                    new VolumeZoneFilter(),
                    new PodTopologySpreadFilter(),
                    new InterPodAffinityFilter(),
                    new DynamicResourcesFilter());

    private NodeFilters() {}

    /// True when the pod tolerates the node's taints and matches its labels, regardless of free
    /// resources. DaemonSet pods are created only for such nodes.
    public static boolean isEligible(Pod pod, Node node) {
        return NodeTaints.untolerated(pod.spec().tolerations(), node).isEmpty()
                && NodeAffinityFilter.matches(pod, node);
    }
}
