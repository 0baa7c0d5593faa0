package dev.berth.core.place.score;

import dev.berth.core.place.EvaluationContext;
import dev.berth.core.snapshot.NodeView;
import dev.berth.model.api.claim.AllocationResult;
import java.util.List;

/// Ranks nodes by the chosen alternatives of prioritized lists: earlier alternatives first.
public final class PrioritizedListRank implements NodeRank {

    @Override
    public long cost(EvaluationContext context, NodeView node, List<AllocationResult> results) {
        return PrioritizedListScore.hasAlternatives(context.request().toAllocate())
                ? -PrioritizedListScore.rawScore(context.request(), results)
                : 0;
    }
}
