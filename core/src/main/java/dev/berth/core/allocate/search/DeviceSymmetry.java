package dev.berth.core.allocate.search;

import dev.berth.core.allocate.state.BitSets;
import dev.berth.core.allocate.state.ConstraintValues;
import dev.berth.core.allocate.state.NodeDevices;
import dev.berth.core.allocate.state.SearchRequest;
import dev.berth.core.allocate.state.SearchState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/// Detects interchangeable devices.
///
/// Devices that consume the same counters form a unit; a device without counters is a unit of its
/// own. Two units are of one kind when their devices, in order, are equal for every option and
/// constraint. If two units of one kind are also in the same state, exchanging them turns every
/// solution with a device of the second into one with its counterpart in the first. So if the
/// search failed with the first, it fails with the second. (Order is kept: devices of such units
/// come in the same order.)
final class DeviceSymmetry {

    private final NodeDevices nodeDevices;
    private final SearchState state;
    private final int[][] unitOf;
    private final int[] positionInUnit;
    private final int[] kindOfUnit;
    private final int[][] numbersOfUnit;
    private final List<Unit> units = new ArrayList<>();

    // Numbers of value sets, by the identity of the array, which many requests share, and by
    // content.
    private final IdentityHashMap<int[], Integer> valueSets = new IdentityHashMap<>();
    private final Map<List<Object>, Integer> valueSetNumbers = new HashMap<>();

    /// Devices that consume the same counters.
    ///
    /// @param kind equal for interchangeable units
    /// @param numbers indexes of their counters and capacities in the trail, in the same order for
    ///   all units of a kind
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Unit(int kind, int[] members, int[] numbers) {}

    DeviceSymmetry(NodeDevices nodeDevices, SearchState state, List<SearchRequest> requests) {
        this.nodeDevices = nodeDevices;
        this.state = state;
        unitOf = new int[nodeDevices.size()][];
        positionInUnit = new int[nodeDevices.size()];
        kindOfUnit = new int[nodeDevices.size()];
        numbersOfUnit = new int[nodeDevices.size()][];
        var kinds = new HashMap<Object, Integer>();
        for (var unit : joined()) {
            describe(unit, requests, kinds);
        }
    }

    List<Unit> units() {
        return units;
    }

    /// Devices grouped by the counter sets that they consume (union-find).
    private List<List<Integer>> joined() {
        var root = new int[nodeDevices.size()];
        var firstOfSet = new HashMap<Integer, Integer>();
        for (var device = 0; device < root.length; device++) {
            root[device] = device;
            for (var set : nodeDevices.consumption(device).sets()) {
                var at = state.setAt(nodeDevices.poolNumber(device), set);
                var other = firstOfSet.putIfAbsent(at, device);
                if (other != null) {
                    root[find(root, device)] = find(root, other);
                }
            }
        }
        var members = new HashMap<Integer, List<Integer>>();
        for (var device = 0; device < root.length; device++) {
            members.computeIfAbsent(find(root, device), _ -> new ArrayList<>()).add(device);
        }
        return List.copyOf(members.values());
    }

    private static int find(int[] root, int device) {
        var at = device;
        while (root[at] != at) {
            at = root[at];
        }
        return at;
    }

    private void describe(
            List<Integer> unit, List<SearchRequest> requests, Map<Object, Integer> kinds) {
        var members = unit.stream().mapToInt(Integer::intValue).toArray();
        var numbers = new ArrayList<Integer>();
        var description = new ArrayList<Object>();
        for (var i = 0; i < members.length; i++) {
            unitOf[members[i]] = members;
            positionInUnit[members[i]] = i;
            description.add(described(members[i], requests, numbers));
        }
        var kind = kinds.computeIfAbsent(description, _ -> kinds.size());
        var indexes = numbers.stream().mapToInt(Integer::intValue).toArray();
        for (var member : members) {
            kindOfUnit[member] = kind;
            numbersOfUnit[member] = indexes;
        }
        units.add(new Unit(kind, members, indexes));
    }

    /// Everything that options and constraints read of a device. Counters are numbered in the order
    /// of their first use in the unit.
    private List<Object> described(
            int device, List<SearchRequest> requests, List<Integer> numbers) {
        var description = new ArrayList<Object>();
        description.add(nodeDevices.isShareable(device));
        description.add(BitSets.has(state.held(), device));
        var consumption = nodeDevices.consumption(device);
        var pool = nodeDevices.poolNumber(device);
        for (var i = 0; i < consumption.counters().length; i++) {
            description.add(localNumber(state.counterAt(pool, consumption.counters()[i]), numbers));
            description.add(consumption.amounts()[i]);
        }
        for (var i = 0; i < consumption.sets().length; i++) {
            description.add(localNumber(state.setAt(pool, consumption.sets()[i]), numbers));
            description.add(consumption.groups().get(i));
        }
        description.add(!consumption.isEmpty() && state.isOverdrawn(pool));
        for (var request : requests) {
            if (request.interchangeableWithPrevious()) {
                continue;
            }
            for (var option : request.options()) {
                description.add(BitSets.has(option.candidates(), device));
                description.add(BitSets.has(option.exhausted(), device));
                description.add(boxed(option.needs()[device]));
                for (var i = 0; i < option.constraints().size(); i++) {
                    description.add(
                            valueSets.computeIfAbsent(option.values(i, device), this::number));
                }
            }
        }
        for (var column = 0; column < capacityColumns(device, requests); column++) {
            numbers.add(state.capacityAt(device) + column);
        }
        return description;
    }

    private static int capacityColumns(int device, List<SearchRequest> requests) {
        return requests.isEmpty()
                ? 0
                : requests.getFirst().options().getFirst().needs()[device].length;
    }

    private static int localNumber(int number, List<Integer> numbers) {
        if (!numbers.contains(number)) {
            numbers.add(number);
        }
        return numbers.indexOf(number);
    }

    private static List<Long> boxed(long[] values) {
        return values.length == 0 ? List.of() : Arrays.stream(values).boxed().toList();
    }

    /// Equal numbers for equal sets of values.
    private int number(int[] values) {
        var list = new ArrayList<Object>(values.length + 1);
        list.add(ConstraintValues.isIncomparable(values));
        for (var value : values) {
            list.add(value);
        }
        return valueSetNumbers.computeIfAbsent(list, _ -> valueSetNumbers.size());
    }

    /// Whether the device is interchangeable with one that failed in the current state.
    boolean isInterchangeableWithAny(int device, List<Integer> failed) {
        for (var other : failed) {
            if (areInterchangeable(device, other)) {
                return true;
            }
        }
        return false;
    }

    private boolean areInterchangeable(int a, int b) {
        if (kindOfUnit[a] != kindOfUnit[b] || positionInUnit[a] != positionInUnit[b]) {
            return false;
        }
        var numbersA = numbersOfUnit[a];
        var numbersB = numbersOfUnit[b];
        for (var i = 0; i < numbersA.length; i++) {
            if (state.trail().at(numbersA[i]) != state.trail().at(numbersB[i])) {
                return false;
            }
        }
        return sameMarks(unitOf[a], unitOf[b]);
    }

    private boolean sameMarks(int[] a, int[] b) {
        for (var i = 0; i < a.length; i++) {
            if (state.isShared(a[i]) != state.isShared(b[i]) || !state.hasSameMarks(a[i], b[i])) {
                return false;
            }
        }
        return true;
    }
}
