package dev.berth.core.place.score;

import dev.berth.core.place.EvaluationContext;
import dev.berth.core.snapshot.NodeView;
import dev.berth.model.api.claim.AllocationResult;
import java.util.List;

/// A cost of a node under a placement policy. Nodes with the least cost are preferred, regardless
/// of scores. The cost depends on the node, its pools and the cache key of the request only, so
/// that it is cached with the node.
public interface NodeRank {

    /// The cost of a node on which the pod can be placed.
    ///
    /// @param results allocations of the pod's claims on the node
    long cost(EvaluationContext context, NodeView node, List<AllocationResult> results);
}
