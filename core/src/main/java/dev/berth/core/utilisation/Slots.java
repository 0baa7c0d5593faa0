package dev.berth.core.utilisation;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// The devices of one node, or of one set of nodes, that can be allocated at the same time, by NUMA
/// node. A device with shares can be allocated several times, but only once to one request.
final class Slots {

    private static final long NO_NUMA_NODE = -1;

    /// Devices of one NUMA node.
    ///
    /// @param single devices that can be allocated once
    /// @param unlimited devices with unlimited shares
    /// @param shares number of devices by their number of shares
    private record Level(long single, long unlimited, SortedMap<Long, Long> shares) {

        static final Level NONE = new Level(0, 0, new TreeMap<>());

        Level plus(Level other) {
            if (single == 0 && unlimited == 0 && shares.isEmpty()) {
                return other;
            }
            var sums = shares;
            if (!other.shares.isEmpty()) {
                sums = new TreeMap<>(shares);
                for (var entry : other.shares.entrySet()) {
                    sums.merge(entry.getKey(), entry.getValue(), Long::sum);
                }
            }
            return new Level(single + other.single, unlimited + other.unlimited, sums);
        }

        /// The number of requests for `count` different devices that can be allocated at the same
        /// time: the largest `k` with `sum(min(shares of a device, k)) >= k * count`.
        long groups(int count) {
            if (unlimited >= count) {
                return Fit.UNLIMITED;
            }
            if (shares.isEmpty() && unlimited == 0) {
                return single / count;
            }
            var least = 0L;
            var most = devices();
            while (least < most) {
                var middle = least + (most - least + 1) / 2;
                if (allocations(middle) >= middle * count) {
                    least = middle;
                } else {
                    most = middle - 1;
                }
            }
            return least;
        }

        private long devices() {
            var sum = single;
            for (var entry : shares.entrySet()) {
                sum += entry.getKey() * entry.getValue();
            }
            return sum;
        }

        private long allocations(long requests) {
            var sum = Math.min(1, requests) * single + unlimited * requests;
            for (var entry : shares.entrySet()) {
                sum += Math.min(entry.getKey(), requests) * entry.getValue();
            }
            return sum;
        }
    }

    private final SortedMap<Long, Level> levels = new TreeMap<>();
    private boolean isExact = true;
    private boolean isNumaExact = true;

    /// Adds a device.
    ///
    /// @param numaNodes NUMA nodes of the device, mostly one
    /// @param times how many times it can be allocated
    void add(List<Long> numaNodes, long times) {
        if (times <= 0) {
            return;
        }
        isNumaExact &= numaNodes.size() < 2;
        var level =
                times == 1
                        ? new Level(1, 0, Level.NONE.shares)
                        : times == Fit.UNLIMITED
                                ? new Level(0, 1, Level.NONE.shares)
                                : new Level(0, 0, new TreeMap<>(Map.of(times, 1L)));
        levels.merge(numaNodes.isEmpty() ? NO_NUMA_NODE : numaNodes.getFirst(), level, Level::plus);
    }

    void add(Slots other) {
        other.levels.forEach((numaNode, level) -> levels.merge(numaNode, level, Level::plus));
        isExact &= other.isExact;
        isNumaExact &= other.isNumaExact;
    }

    /// Marks the number of devices as a lower bound.
    void setInexact() {
        isExact = false;
        isNumaExact = false;
    }

    /// Marks the number of devices of NUMA nodes as a lower bound.
    void setNumaInexact() {
        isNumaExact = false;
    }

    boolean isExact() {
        return isExact;
    }

    boolean isNumaExact() {
        return isNumaExact;
    }

    /// Whether a device has a NUMA node.
    boolean hasNumaNodes() {
        return !levels.isEmpty() && levels.lastKey() != NO_NUMA_NODE;
    }

    /// The number of requests for so many different devices that can be allocated at the same time.
    long groups(int count) {
        var all = Level.NONE;
        for (var level : levels.values()) {
            all = all.plus(level);
        }
        return all.groups(count);
    }

    /// The same, with the devices of each request on one NUMA node.
    long numaGroups(int count) {
        var sum = 0L;
        for (var entry : levels.entrySet()) {
            if (entry.getKey() != NO_NUMA_NODE) {
                sum = FitTotals.sum(sum, entry.getValue().groups(count));
            }
        }
        return sum;
    }

    /// The number of different devices that can be allocated at the same time.
    long distinct() {
        var sum = 0L;
        for (var level : levels.values()) {
            sum += level.single + level.unlimited;
            for (var number : level.shares.values()) {
                sum += number;
            }
        }
        return sum;
    }

    /// The largest number of devices of one NUMA node.
    long distinctOnOneNumaNode() {
        var most = 0L;
        for (var entry : levels.entrySet()) {
            if (entry.getKey() != NO_NUMA_NODE) {
                var level = entry.getValue();
                var sum = level.single + level.unlimited;
                for (var number : level.shares.values()) {
                    sum += number;
                }
                most = Math.max(most, sum);
            }
        }
        return most;
    }
}
