package dev.berth.core.allocate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/// Knows which devices could change places.
///
/// Devices that draw on the same counters form a unit; a device that draws on none is a unit of its
/// own. Two units are alike when their devices, in order, are alike for every option and
/// constraint. When they are also in the same state, exchanging them turns every solution with a
/// device of the second into one with its counterpart in the first, so where that failed, this
/// fails. (Order is kept: devices of alike units come in the same order.)
final class DeviceSymmetry {

    private final NodeDevices arena;
    private final SearchState state;
    private final int[][] unitOf;
    private final int[] positionInUnit;
    private final int[] kindOfUnit;
    private final int[][] numbersOfUnit;
    private final List<Unit> units = new ArrayList<>();

    // Sets of values by the array that holds them, which many requests share, and by content.
    private final IdentityHashMap<int[], Integer> valueSets = new IdentityHashMap<>();
    private final Map<List<Object>, Integer> valueSetNumbers = new HashMap<>();

    /// Devices that draw on the same counters.
    ///
    /// @param kind the same for units that are alike
    /// @param numbers where their numbers are in the trail, in the same order for all of a kind
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Unit(int kind, int[] members, int[] numbers) {}

    DeviceSymmetry(NodeDevices arena, SearchState state, List<SearchRequest> requests) {
        this.arena = arena;
        this.state = state;
        unitOf = new int[arena.size()][];
        positionInUnit = new int[arena.size()];
        kindOfUnit = new int[arena.size()];
        numbersOfUnit = new int[arena.size()][];
        var kinds = new HashMap<Object, Integer>();
        for (var unit : joined()) {
            describe(unit, requests, kinds);
        }
    }

    List<Unit> units() {
        return units;
    }

    /// Devices joined by the counter sets on which they draw.
    private List<List<Integer>> joined() {
        var root = new int[arena.size()];
        var firstOfSet = new HashMap<Integer, Integer>();
        for (var device = 0; device < root.length; device++) {
            root[device] = device;
            for (var set : arena.draw(device).sets()) {
                var at = state.setAt(arena.poolNumber(device), set);
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
        var places = numbers.stream().mapToInt(Integer::intValue).toArray();
        for (var member : members) {
            kindOfUnit[member] = kind;
            numbersOfUnit[member] = places;
        }
        units.add(new Unit(kind, members, places));
    }

    /// All that options and constraints can tell of a device. Its counters are named by the order
    /// in which the unit mentions them.
    private List<Object> described(
            int device, List<SearchRequest> requests, List<Integer> numbers) {
        var told = new ArrayList<Object>();
        told.add(arena.isShareable(device));
        told.add(BitSets.has(state.held(), device));
        var draw = arena.draw(device);
        var pool = arena.poolNumber(device);
        for (var i = 0; i < draw.counters().length; i++) {
            told.add(named(state.counterAt(pool, draw.counters()[i]), numbers));
            told.add(draw.amounts()[i]);
        }
        for (var i = 0; i < draw.sets().length; i++) {
            told.add(named(state.setAt(pool, draw.sets()[i]), numbers));
            told.add(draw.groups().get(i));
        }
        told.add(!draw.isNothing() && state.isOverdrawn(pool));
        for (var request : requests) {
            if (request.likePrevious()) {
                continue;
            }
            for (var option : request.options()) {
                told.add(BitSets.has(option.candidates(), device));
                told.add(BitSets.has(option.spent(), device));
                told.add(boxed(option.needs()[device]));
                for (var i = 0; i < option.constraints().size(); i++) {
                    told.add(valueSets.computeIfAbsent(option.values(i, device), this::number));
                }
            }
        }
        for (var column = 0; column < capacityColumns(device, requests); column++) {
            numbers.add(state.capacityAt(device) + column);
        }
        return told;
    }

    private static int capacityColumns(int device, List<SearchRequest> requests) {
        return requests.isEmpty()
                ? 0
                : requests.getFirst().options().getFirst().needs()[device].length;
    }

    private static int named(int number, List<Integer> numbers) {
        if (!numbers.contains(number)) {
            numbers.add(number);
        }
        return numbers.indexOf(number);
    }

    private static List<Long> boxed(long[] values) {
        return values.length == 0 ? List.of() : Arrays.stream(values).boxed().toList();
    }

    /// The same number for sets of the same values.
    private int number(int[] values) {
        var list = new ArrayList<Object>(values.length + 1);
        list.add(ConstraintValues.isIncomparable(values));
        for (var value : values) {
            list.add(value);
        }
        return valueSetNumbers.computeIfAbsent(list, _ -> valueSetNumbers.size());
    }

    /// Whether the device could stand for one that was tried in this very state and failed.
    boolean isTwinOfAny(int device, List<Integer> failed) {
        for (var other : failed) {
            if (areTwins(device, other)) {
                return true;
            }
        }
        return false;
    }

    private boolean areTwins(int a, int b) {
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
