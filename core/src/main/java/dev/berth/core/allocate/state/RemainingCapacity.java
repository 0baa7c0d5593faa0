package dev.berth.core.allocate.state;

import dev.berth.core.ledger.Holdings;
import dev.berth.model.quantity.CommonUnit;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Remaining capacity of shareable devices, as integers. Each capacity has its own unit, in which
/// all amounts that the search may consume are whole numbers.
public final class RemainingCapacity {

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

    /// The capacities that the holders of devices leave.
    ///
    /// @param demands for every device the amounts that each option would consume
    public static RemainingCapacity of(
            NodeDevices nodeDevices, Holdings holdings, List<List<Map<String, Quantity>>> demands) {
        var remaining = new RemainingCapacity(nodeDevices.size());
        for (var device = 0; device < nodeDevices.size(); device++) {
            if (nodeDevices.isShareable(device) && !demands.get(device).isEmpty()) {
                remaining.open(nodeDevices, device, holdings, demands.get(device));
            }
        }
        return remaining;
    }

    private void open(
            NodeDevices nodeDevices,
            int device,
            Holdings holdings,
            List<Map<String, Quantity>> demands) {
        var capacities = nodeDevices.pool(device).capacities(nodeDevices.row(device));
        var taken = holdings.consumed().getOrDefault(nodeDevices.id(device), Map.of());
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
            var id = nodeDevices.id(device);
            left[device][column] =
                    unit.count(free)
                            .orElseThrow(() -> new UncountableException(id + ": capacity " + name));
        }
        names.set(device, List.copyOf(columns));
    }

    public int columns(int device) {
        return left[device].length;
    }

    long left(int device, int column) {
        return left[device][column];
    }

    /// The amount of each capacity of a device that a demand consumes; `Long.MAX_VALUE` for amounts
    /// beyond 64 bits.
    public long[] counted(int device, Map<String, Quantity> demand) {
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

    /// A capacity whose amounts have no common unit within 64 bits.
    public static final class UncountableException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UncountableException(String what) {
            super(what + " has amounts too far apart to be counted exactly", null, false, false);
        }
    }
}
