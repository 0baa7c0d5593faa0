package dev.berth.core.place.score;

import dev.berth.core.place.EvaluationContext;
import dev.berth.core.snapshot.NodeView;
import dev.berth.model.api.claim.AllocationResult;
import java.util.List;

/// Ranks nodes by the number of devices without a holder, most first.
public final class FreeDevicesRank implements NodeRank {

    @Override
    public long cost(EvaluationContext context, NodeView node, List<AllocationResult> results) {
        return -node.freeDevices();
    }
}
