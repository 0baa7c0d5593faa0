package dev.berth.core.place;

import java.util.List;

/// The rank of a node for a pod: its costs, the most important first, then its name.
record RankedNode(List<Long> costs, String node) implements Comparable<RankedNode> {

    /// All nodes of one pod have the same number of costs.
    @Override
    public int compareTo(RankedNode other) {
        var order = compareCosts(other);
        return order != 0 ? order : node.compareTo(other.node);
    }

    int compareCosts(RankedNode other) {
        for (var i = 0; i < costs.size(); i++) {
            var order = Long.compare(costs.get(i), other.costs.get(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }
}
