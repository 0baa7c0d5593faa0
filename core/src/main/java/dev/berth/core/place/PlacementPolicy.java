package dev.berth.core.place;

import dev.berth.core.allocate.DeviceOrder;
import dev.berth.core.place.score.DeviceLocalityRank;
import dev.berth.core.place.score.FreeDevicesRank;
import dev.berth.core.place.score.NodeRank;
import dev.berth.core.place.score.PrioritizedListRank;
import dev.berth.core.snapshot.NodeView;
import dev.berth.model.api.claim.AllocationResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The order of nodes for a pod, and the order of devices on a node. A policy ranks the nodes of
/// pods with devices; among nodes of equal rank, and for pods without devices, the scores of
/// kube-scheduler decide.
///
/// The position in prioritized lists comes before the other ranks, because it is the preference of
/// the pod.
public enum PlacementPolicy {
    /// As kube-scheduler: the best score of a sample of nodes, the first devices.
    KUBERNETES(DeviceOrder.FIRST, false),
    /// The node with the fewest free devices, and the devices that leave the least unused.
    PACK(DeviceOrder.PACKED, true, new PrioritizedListRank(), FreeDevicesRank.fewest()),
    /// The node where the devices are closest together.
    ALIGNED(DeviceOrder.ALIGNED, false, new PrioritizedListRank(), new DeviceLocalityRank()),
    /// The node with most free devices.
    SPREAD(DeviceOrder.FIRST, true, new PrioritizedListRank(), FreeDevicesRank.most());

    private final DeviceOrder deviceOrder;
    private final boolean ranksAllNodes;

    @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list of ranks without state
    private final List<NodeRank> nodeRanks;

    /// @param ranksAllNodes whether all fitting nodes are ranked; otherwise those of a sample
    PlacementPolicy(DeviceOrder deviceOrder, boolean ranksAllNodes, NodeRank... nodeRanks) {
        this.deviceOrder = deviceOrder;
        this.ranksAllNodes = ranksAllNodes;
        this.nodeRanks = List.of(nodeRanks);
    }

    public DeviceOrder deviceOrder() {
        return deviceOrder;
    }

    /// True when all fitting nodes are ranked, false when those of a sample are.
    public boolean ranksAllNodes() {
        return ranksAllNodes;
    }

    /// The costs of a node for a pod with devices, the most important first.
    List<Long> ranks(EvaluationContext context, NodeView node, List<AllocationResult> results) {
        var costs = new ArrayList<Long>(nodeRanks.size());
        for (var rank : nodeRanks) {
            costs.add(rank.cost(context, node, results));
        }
        return costs;
    }

    /// The candidates with the lowest ranks, in the same order.
    static List<NodeScopedFit.Candidate> preferred(List<NodeScopedFit.Candidate> fitting) {
        if (fitting.size() < 2) {
            return fitting;
        }
        var best = new ArrayList<NodeScopedFit.Candidate>();
        for (var candidate : fitting) {
            var order = best.isEmpty() ? -1 : compare(candidate.ranks(), best.getFirst().ranks());
            if (order < 0) {
                best.clear();
            }
            if (order <= 0) {
                best.add(candidate);
            }
        }
        return best;
    }

    /// Compares lexicographically. All nodes of one pod have the same number of ranks.
    private static int compare(List<Long> one, List<Long> other) {
        for (var i = 0; i < one.size(); i++) {
            var order = Long.compare(one.get(i), other.get(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    /// The value of the command-line option.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
