package dev.berth.core.allocate;

import dev.berth.core.ledger.Holdings;
import dev.berth.model.quantity.CommonUnit;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// What is left of the capacities of shareable devices, counted in a unit of each capacity in which
/// everything that the search may add to it is a whole number.
final class RemainingCapacity {

    private static final long[] NOTHING = new long[0];

    private final long[][] left;
    private final List<List<String>> names;
    private final CommonUnit[][] units;

    private RemainingCapacity(int devices) {
        left = new long[devices][];
        Arrays.fill(left, NOTHING);
        units = new CommonUnit[devices][];
        names = new ArrayList<>();
        for (var i = 0; i < devices; i++) {
            names.add(List.of());
        }
    }

    /// @param demands for every device what each option would consume of it
    static RemainingCapacity of(
            NodeDevices arena, Holdings holdings, List<List<Map<String, Quantity>>> demands) {
        var book = new RemainingCapacity(arena.size());
        for (var device = 0; device < arena.size(); device++) {
            if (arena.isShareable(device) && !demands.get(device).isEmpty()) {
                book.open(arena, device, holdings, demands.get(device));
            }
        }
        return book;
    }

    private void open(
            NodeDevices arena, int device, Holdings holdings, List<Map<String, Quantity>> demands) {
        var capacities = arena.pool(device).capacities(arena.row(device));
        var taken = holdings.consumed().getOrDefault(arena.id(device), Map.of());
        var columns = new ArrayList<String>();
        left[device] = new long[capacities.size()];
        units[device] = new CommonUnit[capacities.size()];
        for (var capacity : capacities.entrySet()) {
            var column = columns.size();
            var name = capacity.getKey();
            columns.add(name);
            var free = capacity.getValue().value().minus(taken.getOrDefault(name, Quantity.ZERO));
            var unit = CommonUnit.NONE.including(free);
            for (var demand : demands) {
                unit = unit.including(demand.getOrDefault(name, Quantity.ZERO));
            }
            units[device][column] = unit;
            var id = arena.id(device);
            left[device][column] =
                    unit.count(free).orElseThrow(() -> new Uncountable(id + ": capacity " + name));
        }
        names.set(device, List.copyOf(columns));
    }

    int columns(int device) {
        return left[device].length;
    }

    long left(int device, int column) {
        return left[device][column];
    }

    /// What a demand takes of each column of a device; more than there could be when it is too much
    /// to be counted.
    long[] counted(int device, Map<String, Quantity> demand) {
        if (columns(device) == 0) {
            return NOTHING;
        }
        var counts = new long[columns(device)];
        for (var column = 0; column < counts.length; column++) {
            var amount = demand.getOrDefault(names.get(device).get(column), Quantity.ZERO);
            counts[column] = units[device][column].count(amount).orElse(Long.MAX_VALUE);
        }
        return counts;
    }

    /// A capacity whose amounts lie too far apart to be counted in 64 bits.
    static final class Uncountable extends RuntimeException {
        private static final long serialVersionUID = 1;

        Uncountable(String what) {
            super(what + " has amounts too far apart to be counted exactly", null, false, false);
        }
    }
}
