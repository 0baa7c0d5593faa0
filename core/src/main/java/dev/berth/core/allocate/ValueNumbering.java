package dev.berth.core.allocate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The values of attributes as constraints compare them, numbered once for all nodes whose columns
/// are equal.
final class ValueNumbering {

    private static final int MAX_NUMBERINGS = 1_000;

    /// The values of all devices.
    ///
    /// @param values by pool and row
    /// @param size how many different values there are
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Numbering(int[][][] values, int size) {

        /// The values of each device of an arena of these pools.
        int[][] in(NodeDevices arena) {
            var all = new int[arena.size()][];
            Arrays.setAll(all, i -> values[arena.poolNumber(i)][arena.row(i)]);
            return all;
        }
    }

    /// What is numbered, and how.
    private record Wanted(String attribute, boolean lists, boolean common, List<Object> columns) {}

    private final LruCache<Wanted, Numbering> known = new LruCache<>(MAX_NUMBERINGS);

    /// Numbers the values of an attribute.
    ///
    /// @param lists whether a list is the set of its elements
    /// @param common leaves out values that only one device has: in a match of different devices
    ///   they make no difference
    Numbering of(NodeDevices arena, String attribute, boolean lists, boolean common) {
        var columns = new ArrayList<Object>();
        for (var pool : arena.usablePools()) {
            columns.add(pool.id().driver());
            columns.add(pool.slices().stream().map(slice -> slice.size()).toList());
            columns.add(pool.attributeColumns(attribute));
        }
        return known.of(
                new Wanted(attribute, lists, common, columns),
                wanted -> common ? common(all(arena, wanted)) : all(arena, wanted));
    }

    private static Numbering all(NodeDevices arena, Wanted wanted) {
        var numbers = new ConstraintValues(wanted.lists);
        var values = new int[arena.usablePools().size()][][];
        for (var i = 0; i < values.length; i++) {
            var pool = arena.usablePools().get(i);
            values[i] = new int[pool.size()][];
            for (var row = 0; row < values[i].length; row++) {
                values[i][row] =
                        pool.attribute(row, wanted.attribute)
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
