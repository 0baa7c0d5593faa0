package dev.berth.core.allocate.request;

import dev.berth.core.allocate.selector.SelectorCache;
import dev.berth.core.allocate.state.NodeDevices;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ShareId;
import dev.berth.model.api.slice.DeviceId;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Search order of [DeviceOrder#PACKED], which keeps large devices unfragmented.
///
/// Allocating a device makes others that consume the same counters unavailable. Devices are sorted
/// by how many of the largest devices selected by a known class they make unavailable, fewest
/// first, then of the next smaller size, and so on. So partitions of an already partitioned GPU
/// come first, and among them the one with the least effect. Further keys: the remaining counters
/// (fewer first), devices that are shared already, consumed counters (fewer first), capacity
/// (smaller first). Ties keep the order of Kubernetes. The order is a preference: the search is
/// still complete.
///
/// The order is computed once, before anything is allocated: the effect of the first of several
/// devices on the second is not considered. The cost is quadratic in the devices of a counter set.
public final class PackingOrder {

    /// Counter sets with more devices are skipped in the comparison.
    private static final int MAX_DEVICES_PER_SET = 512;

    /// Sizes that differ by less are equal.
    private static final double SIZE_TOLERANCE = 1e-6;

    private final NodeDevices nodeDevices;
    private final Set<DeviceId> shared = new HashSet<>();
    private final Set<DeviceId> held = new HashSet<>();
    private final BitSet selectable;
    private final List<double[]> left = new ArrayList<>();
    private final Map<Long, List<Integer>> bySet = new HashMap<>();
    private final int[] rank;
    private int ranks;

    private PackingOrder(NodeDevices nodeDevices, Holdings holdings, BitSet selectable) {
        this.nodeDevices = nodeDevices;
        this.selectable = selectable;
        shared.addAll(holdings.consumed().keySet());
        holdings.shares().stream().map(ShareId::device).forEach(shared::add);
        held.addAll(holdings.exclusive());
        for (var pool : nodeDevices.usablePools()) {
            var rest = pool.countersLeft(holdings.devicesOf(pool.id()));
            left.add(Arrays.stream(rest).mapToDouble(BigInteger::doubleValue).toArray());
        }
        for (var device = 0; device < nodeDevices.size(); device++) {
            for (var set : nodeDevices.consumption(device).sets()) {
                bySet.computeIfAbsent(key(device, set), _ -> new ArrayList<>()).add(device);
            }
        }
        this.rank = ranked();
    }

    /// Ranks of the devices: those that leave the most usable capacity first.
    ///
    /// @param classes the device classes of the cluster
    public static int[] of(
            NodeDevices nodeDevices,
            Holdings holdings,
            Collection<DeviceClass> classes,
            SelectorCache selectorCache) {
        var order =
                new PackingOrder(
                        nodeDevices, holdings, selectable(nodeDevices, classes, selectorCache));
        var losses = new int[nodeDevices.size()][];
        Arrays.setAll(losses, order::losses);
        return IntStream.range(0, nodeDevices.size())
                .boxed()
                .sorted(
                        Comparator.<Integer, int[]>comparing(
                                        device -> losses[device], Arrays::compare)
                                .thenComparingDouble(order::remainingFraction)
                                .thenComparing(
                                        device -> !order.shared.contains(nodeDevices.id(device)))
                                .thenComparingDouble(order::consumedFraction)
                                .thenComparingDouble(order::capacity))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /// The devices that some class selects; claims cannot request others.
    private static BitSet selectable(
            NodeDevices nodeDevices, Collection<DeviceClass> classes, SelectorCache selectorCache) {
        var selectable = new BitSet();
        for (var one : classes) {
            var selectorChain = selectorCache.of(one, List.of());
            for (var device = 0; device < nodeDevices.size(); device++) {
                if (!selectable.get(device)) {
                    var pool = nodeDevices.pool(device);
                    var row = nodeDevices.row(device);
                    selectable.set(
                            device,
                            selectorChain.match(pool.slice(row)).matches(pool.rowInSlice(row)));
                }
            }
        }
        return selectable;
    }

    private long key(int device, int set) {
        return ((long) nodeDevices.poolNumber(device) << 32) | set;
    }

    /// Ranks of devices by size, largest first. The size is the consumption relative to the largest
    /// device of the same counter sets; a device without counters has size 1.
    private int[] ranked() {
        var sizes = new long[nodeDevices.size()];
        var distinct = new TreeMap<Long, Integer>(Comparator.reverseOrder());
        for (var device = 0; device < sizes.length; device++) {
            sizes[device] = Math.round(size(device) / SIZE_TOLERANCE);
            distinct.put(sizes[device], 0);
        }
        for (var entry : distinct.entrySet()) {
            entry.setValue(ranks++);
        }
        return Arrays.stream(sizes).mapToInt(size -> distinct.getOrDefault(size, 0)).toArray();
    }

    private double size(int device) {
        var most = 0.0;
        for (var set : nodeDevices.consumption(device).sets()) {
            for (var other : consumersOf(device, set)) {
                most = Math.max(most, consumedFraction(other));
            }
        }
        return most > 0 ? consumedFraction(device) / most : 1;
    }

    private List<Integer> consumersOf(int device, int set) {
        var all = bySet.getOrDefault(key(device, set), List.of());
        return all.size() > MAX_DEVICES_PER_SET ? List.of() : all;
    }

    /// The number of devices of each size that become unavailable when this one is allocated,
    /// largest size first. A further share of a shared device makes none unavailable.
    private int[] losses(int device) {
        var losses = new int[ranks];
        if (shared.contains(nodeDevices.id(device))) {
            return losses;
        }
        var lost = new HashSet<Integer>();
        lost.add(device);
        for (var set : nodeDevices.consumption(device).sets()) {
            for (var other : consumersOf(device, set)) {
                if (isAvailable(other) && !isAvailableBeside(other, device)) {
                    lost.add(other);
                }
            }
        }
        for (var other : lost) {
            losses[rank[other]] += selectable.get(other) ? 1 : 0;
        }
        return losses;
    }

    private boolean isAvailable(int device) {
        var consumption = nodeDevices.consumption(device);
        var rest = left.get(nodeDevices.poolNumber(device));
        for (var i = 0; i < consumption.counters().length; i++) {
            if (consumption.exactAmounts()[i].doubleValue() > rest[consumption.counters()[i]]) {
                return false;
            }
        }
        return !held.contains(nodeDevices.id(device)) && !shared.contains(nodeDevices.id(device));
    }

    private boolean isAvailableBeside(int device, int taken) {
        var consumption = nodeDevices.consumption(device);
        var rest = left.get(nodeDevices.poolNumber(device));
        var other = nodeDevices.consumption(taken);
        for (var i = 0; i < consumption.counters().length; i++) {
            var counter = consumption.counters()[i];
            var after = rest[counter];
            for (var j = 0; j < other.counters().length; j++) {
                if (other.counters()[j] == counter) {
                    after -= other.exactAmounts()[j].doubleValue();
                }
            }
            if (consumption.exactAmounts()[i].doubleValue() > after) {
                return false;
            }
        }
        return true;
    }

    /// The remaining fraction of the counters that a device consumes, summed.
    private double remainingFraction(int device) {
        var counters = nodeDevices.pool(device).counters();
        var rest = left.get(nodeDevices.poolNumber(device));
        var sum = 0.0;
        for (var counter : nodeDevices.consumption(device).counters()) {
            var total = counters.total(counter).doubleValue();
            sum += total > 0 ? rest[counter] / total : 0;
        }
        return sum;
    }

    /// The fraction of its counters that a device consumes, summed.
    private double consumedFraction(int device) {
        var consumption = nodeDevices.consumption(device);
        var counters = nodeDevices.pool(device).counters();
        var sum = 0.0;
        for (var i = 0; i < consumption.counters().length; i++) {
            var total = counters.total(consumption.counters()[i]).doubleValue();
            sum += total > 0 ? consumption.exactAmounts()[i].doubleValue() / total : 0;
        }
        return sum;
    }

    private double capacity(int device) {
        return nodeDevices.pool(device).capacities(nodeDevices.row(device)).values().stream()
                .mapToDouble(capacity -> capacity.value().asApproximateDouble())
                .sum();
    }
}
