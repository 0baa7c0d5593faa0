package dev.berth.core.utilisation;

import dev.berth.core.ledger.PoolHoldings;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/// The holders of the devices of one pool, and the share in use of each unit of its [PoolShape].
///
/// The share of a unit is attributed to namespaces by the counter or capacity with the largest
/// share in use.
final class PoolUse {

    /// Devices without a holder.
    private static final Map<String, Double> UNUSED = Map.of();

    /// The rows that are held, without the names of holders. Pools of equal shape with equal held
    /// rows have the same free devices.
    ///
    /// @param shared consumed capacity of devices with allocated shares
    record HeldRows(BitSet exclusive, Map<Integer, Map<String, Quantity>> shared) {

        boolean isEmpty() {
            return exclusive.isEmpty() && shared.isEmpty();
        }

        boolean isHeld(int row) {
            return exclusive.get(row) || shared.containsKey(row);
        }
    }

    /// A share of a device that a claim holds.
    private record HeldShare(String namespace, Map<String, Quantity> consumed) {}

    private final PoolShape shape;
    private final Map<Integer, String> owners = new TreeMap<>();
    private final Map<Integer, List<HeldShare>> shares = new TreeMap<>();
    private final Map<Integer, Integer> admins = new HashMap<>();
    private final List<Map<String, Double>> namespaces = new ArrayList<>();
    private final BitSet heldUnits = new BitSet();

    private PoolUse(PoolShape shape) {
        this.shape = shape;
    }

    /// @param rows the row of a device by name; empty for devices that are no longer published
    static PoolUse of(
            PoolShape shape, PoolHoldings holdings, Function<String, Optional<Integer>> rows) {
        var use = new PoolUse(shape);
        holdings.forEach((claim, devices) -> {
            for (var device : devices) {
                rows.apply(device.id().device())
                        .ifPresent(row -> use.add(row, claim.namespace(), device));
            }
        });
        use.findShares();
        return use;
    }

    private void add(int row, String namespace, AllocatedDevice device) {
        if (device.isAdmin()) {
            admins.merge(row, 1, Integer::sum);
        } else if (device.share().isEmpty()) {
            owners.putIfAbsent(row, namespace);
        } else {
            shares.computeIfAbsent(row, _ -> new ArrayList<>())
                    .add(new HeldShare(namespace, device.consumedCapacity()));
        }
    }

    private void findShares() {
        for (var unit = 0; unit < shape.units(); unit++) {
            namespaces.add(UNUSED);
        }
        if (owners.isEmpty() && shares.isEmpty()) {
            return;
        }
        var byGroup = new TreeMap<Integer, Map<String, Double>>();
        for (var row = 0; row < shape.rows().size(); row++) {
            if (owners.containsKey(row) || shares.containsKey(row)) {
                addUse(row, byGroup);
            }
        }
        var largest = new HashMap<Integer, Double>();
        byGroup.forEach((group, use) -> {
            var unit = shape.unitOfSet(shape.setOfGroup(group));
            var sum = sum(use);
            if (unit >= 0 && sum > largest.getOrDefault(unit, 0.0)) {
                largest.put(unit, sum);
                namespaces.set(unit, limited(use));
            }
        });
    }

    private void addUse(int row, Map<Integer, Map<String, Double>> byGroup) {
        var device = shape.rows().get(row);
        var consumption = device.consumption();
        if (consumption.isEmpty()) {
            heldUnits.set(device.unit());
            namespaces.set(device.unit(), limited(shareOf(row)));
            return;
        }
        for (var set : consumption.sets()) {
            if (shape.unitOfSet(set) >= 0) {
                heldUnits.set(shape.unitOfSet(set));
            }
        }
        var held = partitionShareOf(row);
        for (var i = 0; i < consumption.counters().length; i++) {
            var group = shape.groupOf(consumption.counters()[i]);
            var total = shape.groupTotal(group);
            var amount = PoolShape.bounded(consumption.exactAmounts()[i]);
            if (total > 0 && amount > 0) {
                var sums = byGroup.computeIfAbsent(group, _ -> new TreeMap<>());
                held.forEach((namespace, share) ->
                        sums.merge(namespace, share * amount / total, Double::sum));
            }
        }
    }

    /// A partition with shares consumes its counters; the part of them that is in use is that of
    /// its capacity. Without consumed capacity all of it is in use.
    private Map<String, Double> partitionShareOf(int row) {
        var held = limited(shareOf(row));
        var parts = shares.getOrDefault(row, List.of());
        if (!parts.isEmpty() && sum(held) <= 0) {
            var equal = new TreeMap<String, Double>();
            parts.forEach(one -> equal.merge(one.namespace, 1.0 / parts.size(), Double::sum));
            return equal;
        }
        return held;
    }

    /// The share of a device that is in use, by namespace.
    private Map<String, Double> shareOf(int row) {
        var owner = owners.get(row);
        if (owner != null) {
            return Map.of(owner, 1.0);
        }
        Map<String, Double> largest = UNUSED;
        for (var capacity : shape.rows().get(row).capacities().entrySet()) {
            var total = capacity.getValue().value().asApproximateDouble();
            var use = new TreeMap<String, Double>();
            for (var share : shares.getOrDefault(row, List.of())) {
                var consumed = share.consumed.getOrDefault(capacity.getKey(), Quantity.ZERO);
                if (total > 0 && consumed.signum() > 0) {
                    use.merge(share.namespace, consumed.asApproximateDouble() / total, Double::sum);
                }
            }
            largest = sum(use) > sum(largest) ? use : largest;
        }
        return largest;
    }

    private static double sum(Map<String, Double> shares) {
        var sum = 0.0;
        for (var share : shares.values()) {
            sum += share;
        }
        return sum;
    }

    /// Shares that add up to at most 1. Claims may hold more than there is, for example after a
    /// driver has reduced a capacity.
    private static Map<String, Double> limited(Map<String, Double> shares) {
        var sum = sum(shares);
        if (sum <= 1) {
            return shares;
        }
        var scaled = new TreeMap<String, Double>();
        shares.forEach((namespace, share) -> scaled.put(namespace, share / sum));
        return scaled;
    }

    /// The share of a unit that is in use, between 0 and 1.
    double inUse(int unit) {
        return Math.min(1, sum(namespaces.get(unit)));
    }

    Map<String, Double> namespaces(int unit) {
        return namespaces.get(unit);
    }

    boolean isHeld(int unit) {
        return heldUnits.get(unit);
    }

    /// Allocations of a device with admin access.
    int admins(int row) {
        return admins.getOrDefault(row, 0);
    }

    HeldRows heldRows() {
        var exclusive = new BitSet();
        owners.keySet().forEach(exclusive::set);
        var consumed = new TreeMap<Integer, Map<String, Quantity>>();
        shares.forEach((row, all) -> {
            var sums = new TreeMap<String, Quantity>();
            all.forEach(one ->
                    one.consumed.forEach((name, more) -> sums.merge(name, more, Quantity::plus)));
            consumed.put(row, sums);
        });
        return new HeldRows(exclusive, consumed);
    }
}
