package dev.berth.core.place.score;

import dev.berth.core.place.EvaluationContext;
import dev.berth.core.snapshot.NodeView;
import dev.berth.model.api.claim.AllocationResult;
import java.util.List;

/// Ranks nodes by what their administrators and the pod prefer: few taints with effect
/// PreferNoSchedule, then the preferred node affinity of the pod.
public final class NodePreferenceRank implements NodeRank {

    /// More than the sum of the weights of all preferred terms.
    private static final long TAINT_WEIGHT = 1_000_000;

    @Override
    public long cost(EvaluationContext context, NodeView node, List<AllocationResult> results) {
        var pod = context.pod();
        var taints = TaintTolerationScore.untolerated(pod.spec().tolerations(), node.node());
        var preferred =
                pod.spec().affinity().isEmpty() ? 0 : NodeAffinityScore.matched(pod, node.node());
        return taints * TAINT_WEIGHT - preferred;
    }
}
