package dev.berth.core.place.score;

import dev.berth.core.place.EvaluationContext;
import dev.berth.core.snapshot.NodeView;
import dev.berth.model.api.claim.AllocationResult;
import java.util.List;

/// Ranks nodes by the number of devices without a holder.
public final class FreeDevicesRank implements NodeRank {

    private final int sign;

    private FreeDevicesRank(int sign) {
        this.sign = sign;
    }

    /// Prefers nodes with few free devices.
    public static FreeDevicesRank fewest() {
        return new FreeDevicesRank(1);
    }

    /// Prefers nodes with many free devices.
    public static FreeDevicesRank most() {
        return new FreeDevicesRank(-1);
    }

    @Override
    public long cost(EvaluationContext context, NodeView node, List<AllocationResult> results) {
        return sign * node.freeDevices();
    }
}
