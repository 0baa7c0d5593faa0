package dev.berth.core.utilisation;

import dev.berth.core.ledger.PoolHoldings;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/// A pool with its holders, while its utilisation is computed.
final class PoolState {

    private final PoolAccess access;
    private final PoolShape shape;
    private final PoolUse use;
    private final PoolUse.HeldRows held;
    private final Function<Boolean, PoolSlots> slots;
    private final Map<Boolean, PoolSlots> known = new HashMap<>();
    private final NodeAvailability nodes;

    PoolState(
            PoolAccess access,
            PoolShape shape,
            PoolHoldings holdings,
            NodeAvailability nodes,
            PackingCache packings) {
        this.access = access;
        this.shape = shape;
        this.use = PoolUse.of(shape, holdings, access::row);
        this.held = use.heldRows();
        this.nodes = nodes;
        var remaining = new RemainingCounters(access.view(), shape, holdings);
        this.slots =
                canSkip ->
                        new PoolSlots(shape, held, remaining, nodes.features(), canSkip, packings);
    }

    PoolAccess access() {
        return access;
    }

    PoolShape shape() {
        return shape;
    }

    PoolUse use() {
        return use;
    }

    PoolUse.HeldRows held() {
        return held;
    }

    PoolSlots slots(boolean canSkipNodeOperations) {
        return known.computeIfAbsent(canSkipNodeOperations, slots);
    }

    boolean canSkipNodeOperations(BitSet reach) {
        return nodes.canSkipNodeOperations(reach);
    }

    boolean isSchedulable(BitSet reach) {
        return nodes.isSchedulable(reach);
    }

    /// Whether a device can be allocated to a request without tolerations when it has no holder.
    boolean isUsable(int row) {
        var reach = access.reach(row);
        return isSchedulable(reach) && slots(canSkipNodeOperations(reach)).isUsable(row);
    }
}
