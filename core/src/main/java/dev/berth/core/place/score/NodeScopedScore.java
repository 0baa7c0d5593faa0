package dev.berth.core.place.score;

import dev.berth.core.place.EvaluationContext;
import dev.berth.core.snapshot.NodeView;
import java.util.function.ToLongFunction;

/// A score plugin of kube-scheduler that depends on one node and its pods only. It is cached with
/// the node.
interface NodeScopedScore {

    /// The fields of the request that the score reads.
    Object cacheKey(EvaluationContext context);

    /// The weighted score for one request, from zero to [NodeScore#FULL] times its weight.
    ToLongFunction<NodeView> prepare(EvaluationContext context);
}
