package dev.berth.core.allocate;

import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.PoolId;
import dev.berth.model.quantity.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// All of a node that can make a difference to a search: equal for nodes on which it runs the same
/// course. Names of nodes and pools are not in it.
///
/// @param pools what is read of the columns of each pool, in the order in which they are tried
/// @param exclusive devices that others hold alone
/// @param shared devices of which others have a share
/// @param consumed by device, what others consume
record NodeFingerprint(
        List<Object> pools,
        LongArrayKey exclusive,
        LongArrayKey shared,
        Map<Integer, Map<String, Quantity>> consumed) {

    /// What is held of an arena is told by the numbers of its devices; what is held elsewhere, or
    /// is not there any more, makes no difference.
    static NodeFingerprint of(List<Object> pools, NodeDevices arena, Holdings holdings) {
        var numbers = new HashMap<PoolId, Integer>();
        for (var i = 0; i < arena.usablePools().size(); i++) {
            numbers.put(arena.usablePools().get(i).id(), i);
        }
        var words = Math.max(1, BitSets.words(arena.size()));
        var exclusive = new long[words];
        var shared = new long[words];
        var consumed = new HashMap<Integer, Map<String, Quantity>>();
        for (var id : holdings.exclusive()) {
            mark(exclusive, device(id, numbers, arena));
        }
        for (var share : holdings.shares()) {
            mark(shared, device(share.device(), numbers, arena));
        }
        holdings.consumed()
                .forEach((id, amounts) -> {
                    var device = device(id, numbers, arena);
                    if (device >= 0) {
                        BitSets.set(shared, device);
                        consumed.put(device, amounts);
                    }
                });
        return new NodeFingerprint(
                pools, new LongArrayKey(exclusive), new LongArrayKey(shared), consumed);
    }

    /// The number of a device, or -1.
    private static int device(DeviceId id, Map<PoolId, Integer> numbers, NodeDevices arena) {
        var pool = numbers.get(id.poolId());
        return pool == null
                ? -1
                : arena.usablePools()
                        .get(pool)
                        .row(id.device())
                        .map(row -> arena.device(pool, row))
                        .orElse(-1);
    }

    private static void mark(long[] devices, int device) {
        if (device >= 0) {
            BitSets.set(devices, device);
        }
    }
}
