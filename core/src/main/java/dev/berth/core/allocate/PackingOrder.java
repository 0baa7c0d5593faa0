package dev.berth.core.allocate;

import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.ShareId;
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

/// The order in which devices are tried so that large pieces stay whole.
///
/// Taking a device takes away others that draw on the same counters. First comes the device that
/// takes away fewest of the largest devices that a known class asks for, then fewest of the next
/// smaller ones, and so on: a partition of a GPU that is broken into already, and of those one that
/// is in the way of least. Then partitions of what has least left, devices that are shared already,
/// small draws on counters, small capacities. Ties keep the order of Kubernetes. Whatever is tried
/// first, everything is tried.
///
/// The order is made once, before anything is taken: what the first of several devices takes away
/// does not count for the second. It costs a look at each pair of devices on one counter set.
final class PackingOrder {

    /// On sets with more devices than this it is not looked what they take from each other.
    private static final int MAX_TOGETHER = 512;

    /// Sizes closer than this are one size.
    private static final double GRAIN = 1e-6;

    private final NodeDevices arena;
    private final Set<DeviceId> shared = new HashSet<>();
    private final Set<DeviceId> held = new HashSet<>();
    private final BitSet wanted;
    private final List<double[]> left = new ArrayList<>();
    private final Map<Long, List<Integer>> bySet = new HashMap<>();
    private final int[] rank;
    private int ranks;

    private PackingOrder(NodeDevices arena, Holdings holdings, BitSet wanted) {
        this.arena = arena;
        this.wanted = wanted;
        shared.addAll(holdings.consumed().keySet());
        holdings.shares().stream().map(ShareId::device).forEach(shared::add);
        held.addAll(holdings.exclusive());
        for (var pool : arena.usablePools()) {
            var rest = pool.countersLeft(holdings.devicesOf(pool.id()));
            left.add(Arrays.stream(rest).mapToDouble(BigInteger::doubleValue).toArray());
        }
        for (var device = 0; device < arena.size(); device++) {
            for (var set : arena.draw(device).sets()) {
                bySet.computeIfAbsent(key(device, set), _ -> new ArrayList<>()).add(device);
            }
        }
        this.rank = ranked();
    }

    /// @param classes those that claims may name
    static int[] of(
            NodeDevices arena,
            Holdings holdings,
            Collection<DeviceClass> classes,
            SelectorCache selections) {
        var order = new PackingOrder(arena, holdings, wanted(arena, classes, selections));
        var losses = new int[arena.size()][];
        Arrays.setAll(losses, order::losses);
        return IntStream.range(0, arena.size())
                .boxed()
                .sorted(
                        Comparator.<Integer, int[]>comparing(
                                        device -> losses[device], Arrays::compare)
                                .thenComparingDouble(order::unbroken)
                                .thenComparing(device -> !order.shared.contains(arena.id(device)))
                                .thenComparingDouble(order::drawn)
                                .thenComparingDouble(order::capacity))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /// The devices that some class selects; nobody can ask for others.
    private static BitSet wanted(
            NodeDevices arena, Collection<DeviceClass> classes, SelectorCache selections) {
        var wanted = new BitSet();
        for (var one : classes) {
            var selection = selections.of(one, List.of());
            for (var device = 0; device < arena.size(); device++) {
                if (!wanted.get(device)) {
                    var pool = arena.pool(device);
                    var row = arena.row(device);
                    wanted.set(
                            device, selection.match(pool.slice(row)).matches(pool.rowInSlice(row)));
                }
            }
        }
        return wanted;
    }

    private long key(int device, int set) {
        return ((long) arena.poolNumber(device) << 32) | set;
    }

    /// Devices by size, the largest first. A device is as large as the part that it takes of what
    /// the largest one on its counter sets takes; one without counters is whole.
    private int[] ranked() {
        var sizes = new long[arena.size()];
        var distinct = new TreeMap<Long, Integer>(Comparator.reverseOrder());
        for (var device = 0; device < sizes.length; device++) {
            sizes[device] = Math.round(size(device) / GRAIN);
            distinct.put(sizes[device], 0);
        }
        for (var entry : distinct.entrySet()) {
            entry.setValue(ranks++);
        }
        return Arrays.stream(sizes).mapToInt(size -> distinct.getOrDefault(size, 0)).toArray();
    }

    private double size(int device) {
        var most = 0.0;
        for (var set : arena.draw(device).sets()) {
            for (var other : together(device, set)) {
                most = Math.max(most, drawn(other));
            }
        }
        return most > 0 ? drawn(device) / most : 1;
    }

    private List<Integer> together(int device, int set) {
        var all = bySet.getOrDefault(key(device, set), List.of());
        return all.size() > MAX_TOGETHER ? List.of() : all;
    }

    /// How many devices of each size cannot be had any more once this one is taken, the largest
    /// size first. A further share takes nothing from anybody.
    private int[] losses(int device) {
        var losses = new int[ranks];
        if (shared.contains(arena.id(device))) {
            return losses;
        }
        var lost = new HashSet<Integer>();
        lost.add(device);
        for (var set : arena.draw(device).sets()) {
            for (var other : together(device, set)) {
                if (isPossible(other) && !isPossibleBeside(other, device)) {
                    lost.add(other);
                }
            }
        }
        for (var other : lost) {
            losses[rank[other]] += wanted.get(other) ? 1 : 0;
        }
        return losses;
    }

    private boolean isPossible(int device) {
        var draw = arena.draw(device);
        var rest = left.get(arena.poolNumber(device));
        for (var i = 0; i < draw.counters().length; i++) {
            if (draw.exact()[i].doubleValue() > rest[draw.counters()[i]]) {
                return false;
            }
        }
        return !held.contains(arena.id(device)) && !shared.contains(arena.id(device));
    }

    private boolean isPossibleBeside(int device, int taken) {
        var draw = arena.draw(device);
        var rest = left.get(arena.poolNumber(device));
        var other = arena.draw(taken);
        for (var i = 0; i < draw.counters().length; i++) {
            var counter = draw.counters()[i];
            var after = rest[counter];
            for (var j = 0; j < other.counters().length; j++) {
                if (other.counters()[j] == counter) {
                    after -= other.exact()[j].doubleValue();
                }
            }
            if (draw.exact()[i].doubleValue() > after) {
                return false;
            }
        }
        return true;
    }

    /// How much is left of what it draws on, as a fraction of each counter.
    private double unbroken(int device) {
        var counters = arena.pool(device).counters();
        var rest = left.get(arena.poolNumber(device));
        var sum = 0.0;
        for (var counter : arena.draw(device).counters()) {
            var total = counters.total(counter).doubleValue();
            sum += total > 0 ? rest[counter] / total : 0;
        }
        return sum;
    }

    /// How much of its counter sets it takes, as a fraction of each counter.
    private double drawn(int device) {
        var draw = arena.draw(device);
        var counters = arena.pool(device).counters();
        var sum = 0.0;
        for (var i = 0; i < draw.counters().length; i++) {
            var total = counters.total(draw.counters()[i]).doubleValue();
            sum += total > 0 ? draw.exact()[i].doubleValue() / total : 0;
        }
        return sum;
    }

    private double capacity(int device) {
        return arena.pool(device).capacities(arena.row(device)).values().stream()
                .mapToDouble(capacity -> capacity.value().asApproximateDouble())
                .sum();
    }
}
