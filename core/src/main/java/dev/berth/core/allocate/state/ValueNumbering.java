package dev.berth.core.allocate.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// LRU cache of numbered attribute values for constraints, shared by nodes with equal columns.
public final class ValueNumbering {

    private static final int MAX_NUMBERINGS = 1_000;

    /// The numbered values of all devices.
    ///
    /// @param values by pool and row
    /// @param size the number of distinct values
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Numbering(int[][][] values, int size) {

        /// The values by device number.
        public int[][] in(NodeDevices nodeDevices) {
            var all = new int[nodeDevices.size()][];
            Arrays.setAll(all, i -> values[nodeDevices.poolNumber(i)][nodeDevices.row(i)]);
            return all;
        }
    }

    /// The attribute, the numbering rules and the columns of all pools.
    private record Key(String attribute, boolean lists, boolean common, List<Object> columns) {}

    private final LruCache<Key, Numbering> known = new LruCache<>(MAX_NUMBERINGS);

    /// Numbers the values of an attribute.
    ///
    /// @param lists whether a list counts as the set of its elements
    /// @param common omits values that only one device has; they cannot contribute to a match of
    ///   distinct devices
    public Numbering of(NodeDevices nodeDevices, String attribute, boolean lists, boolean common) {
        var columns = new ArrayList<Object>();
        for (var pool : nodeDevices.usablePools()) {
            columns.add(pool.id().driver());
            columns.add(pool.slices().stream().map(slice -> slice.size()).toList());
            columns.add(pool.attributeColumns(attribute));
        }
        return known.computeIfAbsent(
                new Key(attribute, lists, common, columns),
                key -> common ? common(all(nodeDevices, key)) : all(nodeDevices, key));
    }

    private static Numbering all(NodeDevices nodeDevices, Key key) {
        var numbers = new ConstraintValues(key.lists);
        var values = new int[nodeDevices.usablePools().size()][][];
        for (var i = 0; i < values.length; i++) {
            var pool = nodeDevices.usablePools().get(i);
            values[i] = new int[pool.size()][];
            for (var row = 0; row < values[i].length; row++) {
                values[i][row] =
                        pool.attribute(row, key.attribute)
                                .map(numbers::numbers)
                                .orElse(ConstraintValues.ABSENT);
            }
        }
        return new Numbering(values, numbers.size());
    }

    private static Numbering common(Numbering all) {
        var holders = new int[all.size];
        for (var pool : all.values) {
            for (var device : pool) {
                for (var value : device) {
                    holders[value]++;
                }
            }
        }
        var numbers = new int[all.size];
        var size = 0;
        for (var value = 0; value < numbers.length; value++) {
            numbers[value] = holders[value] > 1 ? size++ : -1;
        }
        var values = new int[all.values.length][][];
        for (var i = 0; i < values.length; i++) {
            values[i] = new int[all.values[i].length][];
            for (var row = 0; row < values[i].length; row++) {
                values[i][row] = common(all.values[i][row], numbers);
            }
        }
        return new Numbering(values, size);
    }

    private static int[] common(int[] values, int[] numbers) {
        if (values.length == 0) {
            return values;
        }
        var common =
                Arrays.stream(values).map(value -> numbers[value]).filter(n -> n >= 0).toArray();
        return common.length == 0 ? ConstraintValues.INCOMPARABLE : common;
    }
}
