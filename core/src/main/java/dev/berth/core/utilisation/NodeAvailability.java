package dev.berth.core.utilisation;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.taint.NodeTaintEffect;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Which nodes accept new pods, and the features that devices depend on.
final class NodeAvailability {

    /// Taints with these keys are set by Kubernetes on nodes that are cordoned or not healthy.
    /// Other taints reserve nodes for pods that tolerate them, so their devices can be used.
    private static final String CONDITION_TAINT = "node.kubernetes.io/";

    private final List<Node> nodes;
    private final BitSet schedulable = new BitSet();
    private final Set<AllocatorFeature> features;

    /// @param broken numbers of the nodes on which every allocation fails
    NodeAvailability(List<Node> nodes, BitSet broken, Set<AllocatorFeature> features) {
        this.nodes = nodes;
        this.features = features;
        for (var number = 0; number < nodes.size(); number++) {
            schedulable.set(number, isSchedulable(nodes.get(number)) && !broken.get(number));
        }
    }

    private static boolean isSchedulable(Node node) {
        return !node.spec().unschedulable()
                && node.spec().taints().stream()
                        .noneMatch(taint ->
                                taint.key().startsWith(CONDITION_TAINT)
                                        && taint.effect()
                                                != NodeTaintEffect.Known.PREFER_NO_SCHEDULE);
    }

    Set<AllocatorFeature> features() {
        return features;
    }

    /// Whether one of these nodes accepts pods.
    boolean isSchedulable(BitSet reach) {
        return reach.intersects(schedulable);
    }

    /// The state of nodes that the devices of a pool depend on, for each view of it.
    List<Boolean> among(List<PoolAccess.ViewNodes> views) {
        return views.stream()
                .flatMap(one ->
                        Stream.of(isSchedulable(one.nodes()), canSkipNodeOperations(one.nodes())))
                .toList();
    }

    /// Whether one of these nodes can use devices that skip node operations.
    boolean canSkipNodeOperations(BitSet reach) {
        return features.contains(AllocatorFeature.OPTIONAL_NODE_OPERATIONS)
                && reach.stream()
                        .anyMatch(number -> nodes.get(number).status().canSkipOperations());
    }
}
