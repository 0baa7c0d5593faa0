package dev.berth.core.utilisation;

import dev.berth.core.inventory.CounterTable;
import dev.berth.core.inventory.PoolView;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The devices with partitions of a pool view, regardless of their holders.
public final class PartitionLayout {

    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    private final List<PartitionedDevice> devices;
    private final PoolShape shape;

    private PartitionLayout(List<PartitionedDevice> devices, PoolShape shape) {
        this.devices = List.copyOf(devices);
        this.shape = shape;
    }

    public static PartitionLayout of(PoolView pool) {
        var rows = new ArrayList<DeviceRow>();
        for (var row = 0; row < pool.size(); row++) {
            rows.add(new DeviceRow(pool, row));
        }
        var shape = PoolShape.of(rows, pool.counters(), component -> component);
        var members = new TreeMap<Integer, List<DeviceRow>>();
        for (var row : rows) {
            var sets = row.consumption().sets();
            if (sets.length > 0) {
                members.computeIfAbsent(sets[0], _ -> new ArrayList<>()).add(row);
            }
        }
        var devices = new ArrayList<PartitionedDevice>();
        members.forEach((set, all) -> {
            if (all.size() > 1) {
                devices.add(device(pool.counters(), shape, set, all));
            }
        });
        return new PartitionLayout(devices, shape);
    }

    /// Sets with at least two devices, in the order of their numbers.
    public List<PartitionedDevice> devices() {
        return devices;
    }

    PoolShape shape() {
        return shape;
    }

    private static PartitionedDevice device(
            CounterTable counters, PoolShape shape, int set, List<DeviceRow> rows) {
        var cells = cells(counters, set);
        var whole = whole(counters, set, rows);
        var parts =
                rows.stream()
                        .filter(row -> row.row() != whole)
                        .map(row -> part(shape, row, cells))
                        .toList();
        return new PartitionedDevice(
                counters.setName(set),
                set,
                cells.isEmpty() ? "" : pattern(counters, cells.getFirst()).replaceAll("[-_]?#", ""),
                cells,
                whole,
                parts);
    }

    /// The largest group of at least two counters with value 1 whose names differ in a number.
    private static List<Integer> cells(CounterTable counters, int set) {
        var groups = new TreeMap<String, List<Integer>>();
        for (var counter = 0; counter < counters.size(); counter++) {
            if (counters.setOf(counter) == set && isOne(counters, counter)) {
                groups.computeIfAbsent(pattern(counters, counter), _ -> new ArrayList<>())
                        .add(counter);
            }
        }
        return groups.values().stream()
                .filter(group -> group.size() > 1)
                .max(Comparator.comparingInt(List::size))
                .map(group ->
                        group.stream()
                                .sorted(Comparator.comparing(one -> number(counters, one)))
                                .toList())
                .orElse(List.of());
    }

    private static boolean isOne(CounterTable counters, int counter) {
        return counters.quantity(counter, counters.total(counter)).asLong().orElse(0) == 1;
    }

    private static String name(CounterTable counters, int counter) {
        return counters.counterName(counter)
                .substring(counters.setName(counters.setOf(counter)).length() + 1);
    }

    private static String pattern(CounterTable counters, int counter) {
        return NUMBER.matcher(name(counters, counter)).replaceAll("#");
    }

    private static BigInteger number(CounterTable counters, int counter) {
        var digits = NUMBER.matcher(name(counters, counter));
        var last = BigInteger.ZERO;
        while (digits.find()) {
            last = new BigInteger(digits.group());
        }
        return last;
    }

    /// The row of the first device that consumes every counter of the set completely, or -1.
    private static int whole(CounterTable counters, int set, List<DeviceRow> rows) {
        var size = 0;
        for (var counter = 0; counter < counters.size(); counter++) {
            size += counters.setOf(counter) == set ? 1 : 0;
        }
        for (var row : rows) {
            var consumption = row.consumption();
            var full = 0;
            for (var i = 0; i < consumption.counters().length; i++) {
                var counter = consumption.counters()[i];
                if (counters.setOf(counter) == set
                        && consumption.exactAmounts()[i].equals(counters.total(counter))) {
                    full++;
                }
            }
            if (full == size) {
                return row.row();
            }
        }
        return -1;
    }

    private static PartitionedDevice.Part part(
            PoolShape shape, DeviceRow row, List<Integer> cells) {
        var consumption = row.consumption();
        var covered = new ArrayList<Integer>();
        Map<Integer, Long> sums = new HashMap<>();
        for (var i = 0; i < consumption.counters().length; i++) {
            var counter = consumption.counters()[i];
            var amount = consumption.exactAmounts()[i];
            if (cells.contains(counter) && amount.signum() > 0) {
                covered.add(cells.indexOf(counter));
            }
            sums.merge(shape.groupOf(counter), PoolShape.bounded(amount), Long::sum);
        }
        var share = 0.0;
        for (var sum : sums.entrySet()) {
            var total = shape.groupTotal(sum.getKey());
            share = total == 0 ? share : Math.max(share, (double) sum.getValue() / total);
        }
        return new PartitionedDevice.Part(
                row.row(), row.profile(), covered.stream().sorted().toList(), Math.min(1, share));
    }
}
