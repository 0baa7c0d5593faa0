package dev.berth.core.place.pack;

import dev.berth.core.inventory.CounterConsumption;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.Holdings;
import dev.berth.core.snapshot.NodeView;
import dev.berth.model.api.claim.ShareId;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.quantity.Quantity;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// The devices that a node can still allocate.
///
/// Devices in equal states are one entry, because the cost of a placement does not depend on which
/// of them is chosen.
public final class NodeSupply {

    /// Counter sets with more devices are skipped when losses are counted: the cost is quadratic.
    private static final int MAX_DEVICES_PER_SET = 512;

    /// The remaining and the total amount of a capacity, in thousandths.
    record Amount(long left, long total) {}

    /// The state of an available device.
    ///
    /// @param kinds the request kinds that the device can serve
    /// @param isPartition whether the device consumes counters
    /// @param size the fraction of its counters that the device consumes; 1 without counters
    /// @param remaining the remaining fraction of the physical device, before an allocation
    /// @param isShared whether shares of the device are allocated
    /// @param capacities capacities of a shareable device
    /// @param losses for each kind, the fraction of the devices of the same counter sets that can
    ///   no longer be allocated after this one; without entries for zero
    record State(
            BitSet kinds,
            boolean isPartition,
            double size,
            double remaining,
            boolean isShared,
            Map<String, Amount> capacities,
            Map<Integer, Double> losses) {}

    private final Map<State, Integer> counts = new LinkedHashMap<>();
    private final Map<DeviceId, State> states = new HashMap<>();
    private final Map<Integer, Double> freeByKind = new TreeMap<>();

    /// The supply of a node.
    static NodeSupply of(NodeView node, RequestKindIndex kinds) {
        var supply = new NodeSupply();
        var holdings = node.holdings();
        var shared = new HashSet<>(holdings.consumed().keySet());
        holdings.shares().stream().map(ShareId::device).forEach(shared::add);
        for (var pool : node.pools()) {
            if (pool.isUsable()) {
                supply.add(new PoolSupply(pool, holdings, shared, kinds));
            }
        }
        return supply;
    }

    private void add(PoolSupply pool) {
        for (var row = 0; row < pool.view.size(); row++) {
            if (pool.isAvailable(row)) {
                var state = pool.state(row);
                states.put(pool.view.device(row), state);
                counts.merge(state, 1, Integer::sum);
                if (!state.isPartition) {
                    addFree(state.kinds, state.remaining);
                }
            }
        }
        pool.addFreeCounters(this);
    }

    private void addFree(BitSet kinds, double fraction) {
        for (var kind = kinds.nextSetBit(0); kind >= 0; kind = kinds.nextSetBit(kind + 1)) {
            freeByKind.merge(kind, fraction, Double::sum);
        }
    }

    /// The number of available devices by state.
    Map<State, Integer> counts() {
        return counts;
    }

    /// The states of devices of the node; empty for allocated devices.
    List<Optional<State>> states(List<DeviceId> devices) {
        return devices.stream().map(device -> Optional.ofNullable(states.get(device))).toList();
    }

    /// The free devices that can serve a kind, in whole devices.
    double free(int kind) {
        return freeByKind.getOrDefault(kind, 0.0);
    }

    /// The devices of one pool.
    private static final class PoolSupply {

        private final PoolView view;
        private final Holdings holdings;
        private final Set<DeviceId> shared;
        private final BitSet[] kinds;
        private final BigInteger[] left;
        private final Map<Integer, List<Integer>> rowsBySet = new TreeMap<>();

        PoolSupply(
                PoolView view,
                Holdings holdings,
                Set<DeviceId> shared,
                RequestKindIndex deviceKinds) {
            this.view = view;
            this.holdings = holdings;
            this.shared = shared;
            this.kinds = new BitSet[view.size()];
            Arrays.setAll(kinds, row -> deviceKinds.of(view.slice(row), view.rowInSlice(row)));
            for (var row = 0; row < view.size(); row++) {
                for (var set : view.consumption(row).sets()) {
                    rowsBySet.computeIfAbsent(set, _ -> new ArrayList<>()).add(row);
                }
            }
            this.left =
                    rowsBySet.isEmpty()
                            ? new BigInteger[0]
                            : view.countersLeft(holdings.devicesOf(view.id()));
        }

        boolean isAvailable(int row) {
            var id = view.device(row);
            return !holdings.exclusive().contains(id) && (shared.contains(id) || hasCounters(row));
        }

        private boolean hasCounters(int row) {
            return fits(view.consumption(row), left);
        }

        private static boolean fits(CounterConsumption consumption, BigInteger[] left) {
            for (var i = 0; i < consumption.counters().length; i++) {
                if (consumption.exactAmounts()[i].compareTo(left[consumption.counters()[i]]) > 0) {
                    return false;
                }
            }
            return true;
        }

        State state(int row) {
            var id = view.device(row);
            var consumption = view.consumption(row);
            var isPartition = !consumption.isEmpty();
            var capacities =
                    view.traits(row).shareable() ? capacities(row, id) : Map.<String, Amount>of();
            var remaining = isPartition ? remainingCounters(consumption) : remaining(capacities);
            return new State(
                    kinds[row],
                    isPartition,
                    ClusterSupply.size(view, consumption),
                    remaining,
                    shared.contains(id),
                    capacities,
                    isPartition && !shared.contains(id) ? losses(row) : Map.of());
        }

        private Map<String, Amount> capacities(int row, DeviceId id) {
            var taken = holdings.consumed().getOrDefault(id, Map.of());
            var capacities = new TreeMap<String, Amount>();
            view.capacities(row)
                    .forEach((name, capacity) ->
                            capacities.put(
                                    name,
                                    new Amount(
                                            capacity.value()
                                                    .minus(taken.getOrDefault(name, Quantity.ZERO))
                                                    .milliRoundedUp(),
                                            capacity.value().milliRoundedUp())));
            return capacities;
        }

        private static double remaining(Map<String, Amount> capacities) {
            var least = 1.0;
            for (var amount : capacities.values()) {
                least =
                        amount.total > 0
                                ? Math.min(least, (double) amount.left / amount.total)
                                : least;
            }
            return Math.max(0, least);
        }

        /// The mean remaining fraction of the counters that a device consumes.
        private double remainingCounters(CounterConsumption consumption) {
            var sum = 0.0;
            for (var counter : consumption.counters()) {
                var total = view.counters().total(counter).doubleValue();
                sum += total > 0 ? left[counter].doubleValue() / total : 0;
            }
            return sum / Math.max(1, consumption.counters().length);
        }

        private Map<Integer, Double> losses(int row) {
            var lost = new TreeMap<Integer, Double>();
            for (var set : view.consumption(row).sets()) {
                var rows = rowsBySet.getOrDefault(set, List.of());
                if (rows.size() <= MAX_DEVICES_PER_SET) {
                    addLosses(row, rows, lost);
                }
            }
            return lost;
        }

        private void addLosses(int row, List<Integer> rows, Map<Integer, Double> lost) {
            var after = left.clone();
            var taken = view.consumption(row);
            for (var i = 0; i < taken.counters().length; i++) {
                var counter = taken.counters()[i];
                after[counter] = after[counter].subtract(taken.exactAmounts()[i]);
            }
            var all = new TreeMap<Integer, Integer>();
            var gone = new TreeMap<Integer, Integer>();
            for (var other : rows) {
                count(all, kinds[other]);
                if (isAvailable(other) && (other == row || !fits(view.consumption(other), after))) {
                    count(gone, kinds[other]);
                }
            }
            gone.forEach((kind, number) ->
                    lost.merge(kind, (double) number / all.getOrDefault(kind, 1), Double::sum));
        }

        private static void count(Map<Integer, Integer> counts, BitSet kinds) {
            for (var kind = kinds.nextSetBit(0); kind >= 0; kind = kinds.nextSetBit(kind + 1)) {
                counts.merge(kind, 1, Integer::sum);
            }
        }

        /// Counts each counter set once for every kind that its devices can serve.
        void addFreeCounters(NodeSupply supply) {
            rowsBySet.forEach((_, rows) -> {
                var served = new BitSet();
                rows.forEach(row -> served.or(kinds[row]));
                supply.addFree(served, remainingCounters(view.consumption(rows.getFirst())));
            });
        }
    }
}
