package dev.berth.core.allocate.request;

import dev.berth.core.allocate.state.BitSets;
import dev.berth.core.allocate.state.LongArrayKey;
import dev.berth.core.allocate.state.NodeDevices;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.quantity.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Everything about a node that affects a search. Searches on nodes with equal fingerprints take
/// the same course. Contains no names of nodes or pools.
///
/// @param pools the relevant columns of each pool, in search order
/// @param exclusive devices that are allocated exclusively
/// @param shared devices with allocated shares
/// @param consumed consumed capacity by device
record NodeFingerprint(
        List<Object> pools,
        LongArrayKey exclusive,
        LongArrayKey shared,
        Map<Integer, Map<String, Quantity>> consumed) {

    /// Maps holdings to device numbers. Holdings of other pools or of deleted devices have no
    /// effect.
    static NodeFingerprint of(List<Object> pools, NodeDevices nodeDevices, Holdings holdings) {
        var numbers = new HashMap<PoolId, Integer>();
        for (var i = 0; i < nodeDevices.usablePools().size(); i++) {
            numbers.put(nodeDevices.usablePools().get(i).id(), i);
        }
        var words = Math.max(1, BitSets.words(nodeDevices.size()));
        var exclusive = new long[words];
        var shared = new long[words];
        var consumed = new HashMap<Integer, Map<String, Quantity>>();
        for (var id : holdings.exclusive()) {
            mark(exclusive, device(id, numbers, nodeDevices));
        }
        for (var share : holdings.shares()) {
            mark(shared, device(share.device(), numbers, nodeDevices));
        }
        holdings.consumed()
                .forEach((id, amounts) -> {
                    var device = device(id, numbers, nodeDevices);
                    if (device >= 0) {
                        BitSets.set(shared, device);
                        consumed.put(device, amounts);
                    }
                });
        return new NodeFingerprint(
                pools, new LongArrayKey(exclusive), new LongArrayKey(shared), consumed);
    }

    /// The number of a device, or -1.
    private static int device(DeviceId id, Map<PoolId, Integer> numbers, NodeDevices nodeDevices) {
        var pool = numbers.get(id.poolId());
        return pool == null
                ? -1
                : nodeDevices
                        .usablePools()
                        .get(pool)
                        .row(id.device())
                        .map(row -> nodeDevices.device(pool, row))
                        .orElse(-1);
    }

    private static void mark(long[] devices, int device) {
        if (device >= 0) {
            BitSets.set(devices, device);
        }
    }
}
