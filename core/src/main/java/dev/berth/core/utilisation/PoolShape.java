package dev.berth.core.utilisation;

import dev.berth.core.inventory.CounterConsumption;
import dev.berth.core.inventory.CounterTable;
import dev.berth.core.inventory.DeviceTraits;
import dev.berth.model.api.slice.DeviceCapacity;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/// The published properties of the devices of a pool, without names and holders. Pools of identical
/// nodes have one shape.
///
/// A unit is what counts as one device: a device without counters, or a counter set with all
/// devices whose first counter set it is.
final class PoolShape {

    /// Larger amounts are cut, so that sums of many amounts fit in 64 bits.
    private static final long MAX_AMOUNT = 1L << 48;

    private static final Pattern DIGITS = Pattern.compile("[0-9]+");
    private static final int NONE = -1;

    /// A device.
    ///
    /// @param profile partition profile; empty without one
    /// @param component number of its [CounterComponent] in the pool, or -1
    /// @param member number in the component
    record Row(
            DeviceTraits traits,
            Map<String, DeviceCapacity> capacities,
            CounterConsumption consumption,
            List<Long> numaNodes,
            String profile,
            boolean skipsNodeOperations,
            int unit,
            int component,
            int member) {}

    /// A component and the numbers of its counters and counter sets in the pool.
    record Component(CounterComponent content, List<Integer> counters, List<Integer> sets) {}

    private final List<Row> rows;
    private final List<Component> components;
    private final int[] groups;
    private final long[] groupTotals;
    private final int[] setOfGroup;
    private final int[] unitOfSet;
    private final int units;

    private PoolShape(Builder builder) {
        this.rows = List.copyOf(builder.rows);
        this.components = List.copyOf(builder.components);
        this.groups = builder.groups;
        this.setOfGroup = builder.setOfGroup();
        this.groupTotals = builder.groupTotals;
        this.unitOfSet = builder.unitOfSet;
        this.units = builder.units;
    }

    /// The shape of devices with one counter table, in this order.
    ///
    /// @param interner returns one object for equal components
    static PoolShape of(
            List<DeviceRow> devices,
            CounterTable counters,
            UnaryOperator<CounterComponent> interner) {
        return new PoolShape(new Builder(devices, counters, interner));
    }

    List<Row> rows() {
        return rows;
    }

    List<Component> components() {
        return components;
    }

    int units() {
        return units;
    }

    /// The unit of a counter set, or -1 when no device has it as its first set.
    int unitOfSet(int set) {
        return unitOfSet[set];
    }

    /// The group of a counter: counters of a set that differ only in a number.
    int groupOf(int counter) {
        return groups[counter];
    }

    /// The counter set of a group.
    int setOfGroup(int group) {
        return setOfGroup[group];
    }

    long groupTotal(int group) {
        return groupTotals[group];
    }

    static long bounded(BigInteger amount) {
        return amount.bitLength() > 48 ? amount.signum() * MAX_AMOUNT : amount.longValueExact();
    }

    private static final class Builder {

        private final List<DeviceRow> devices;
        private final CounterTable counters;
        private final UnaryOperator<CounterComponent> interner;
        private final List<Row> rows = new ArrayList<>();
        private final List<Component> components = new ArrayList<>();
        private final int[] groups;
        private final long[] groupTotals;
        private final int[] unitOfSet;
        private int units;

        Builder(
                List<DeviceRow> devices,
                CounterTable counters,
                UnaryOperator<CounterComponent> interner) {
            this.devices = devices;
            this.interner = interner;
            this.counters = counters;
            this.groups = new int[counters.size()];
            this.groupTotals = numberGroups();
            this.unitOfSet = new int[counters.setCount()];
            Arrays.fill(unitOfSet, NONE);
            addRows();
        }

        private long[] numberGroups() {
            var numbers = new HashMap<List<Object>, Integer>();
            var totals = new ArrayList<Long>();
            for (var counter = 0; counter < counters.size(); counter++) {
                var total = bounded(counters.total(counter));
                var name = counters.counterName(counter);
                var pattern = DIGITS.matcher(name.substring(name.indexOf('/'))).replaceAll("#");
                var group =
                        numbers.computeIfAbsent(
                                List.of(counters.setOf(counter), pattern, total),
                                _ -> totals.size());
                if (group == totals.size()) {
                    totals.add(0L);
                }
                groups[counter] = group;
                totals.set(group, totals.get(group) + total);
            }
            return totals.stream().mapToLong(Long::longValue).toArray();
        }

        private int[] setOfGroup() {
            var sets = new int[groupTotals.length];
            for (var counter = 0; counter < groups.length; counter++) {
                sets[groups[counter]] = counters.setOf(counter);
            }
            return sets;
        }

        private void addRows() {
            var members = members();
            var numbers = new HashMap<Integer, int[]>();
            for (var root : members.keySet()) {
                var all = members.get(root);
                for (var i = 0; all != null && i < all.size(); i++) {
                    numbers.put(all.get(i), new int[] {components.size(), i});
                }
                components.add(component(all == null ? List.of() : all));
            }
            for (var i = 0; i < devices.size(); i++) {
                rows.add(row(devices.get(i), numbers.getOrDefault(i, new int[] {NONE, NONE})));
            }
        }

        private Row row(DeviceRow device, int[] place) {
            var consumption = device.consumption();
            var unit = NONE;
            if (consumption.isEmpty()) {
                unit = units++;
            } else {
                var set = consumption.sets()[0];
                unitOfSet[set] = unitOfSet[set] == NONE ? units++ : unitOfSet[set];
                unit = unitOfSet[set];
            }
            return new Row(
                    device.traits(),
                    device.capacities(),
                    consumption,
                    device.numaNodes(),
                    consumption.isEmpty() ? "" : device.profile(),
                    device.skipsNodeOperations(),
                    unit,
                    place[0],
                    place[1]);
        }

        /// Devices with counters, by the smallest counter set that they are connected to.
        private Map<Integer, List<Integer>> members() {
            var roots = new int[counters.setCount()];
            Arrays.setAll(roots, set -> set);
            for (var device : devices) {
                var sets = device.consumption().sets();
                for (var i = 1; i < sets.length; i++) {
                    roots[root(roots, sets[i])] = root(roots, sets[0]);
                }
            }
            var members = new TreeMap<Integer, List<Integer>>();
            for (var i = 0; i < devices.size(); i++) {
                var sets = devices.get(i).consumption().sets();
                if (sets.length > 0) {
                    members.computeIfAbsent(root(roots, sets[0]), _ -> new ArrayList<>()).add(i);
                }
            }
            return members;
        }

        private static int root(int[] roots, int set) {
            var at = set;
            while (roots[at] != at) {
                at = roots[at];
            }
            return at;
        }

        private Component component(List<Integer> members) {
            var sets = new LinkedHashMap<Integer, Integer>();
            var numbers = new LinkedHashMap<Integer, Integer>();
            for (var member : members) {
                for (var set : devices.get(member).consumption().sets()) {
                    sets.putIfAbsent(set, sets.size());
                }
            }
            for (var counter = 0; counter < counters.size(); counter++) {
                if (sets.containsKey(counters.setOf(counter))) {
                    numbers.put(counter, numbers.size());
                }
            }
            var local = new LinkedHashMap<Integer, Integer>();
            numbers.keySet().forEach(one -> local.putIfAbsent(groups[one], local.size()));
            var consumers = new ArrayList<CounterComponent.Consumer>();
            members.forEach(
                    one -> consumers.add(consumer(devices.get(one).consumption(), numbers, sets)));
            return new Component(
                    interner.apply(
                            new CounterComponent(
                                    numbers.keySet().stream()
                                            .map(one -> bounded(counters.total(one)))
                                            .toList(),
                                    numbers.keySet().stream()
                                            .map(one -> local.getOrDefault(groups[one], NONE))
                                            .toList(),
                                    local.keySet().stream().map(one -> groupTotals[one]).toList(),
                                    consumers)),
                    List.copyOf(numbers.keySet()),
                    List.copyOf(sets.keySet()));
        }

        private static CounterComponent.Consumer consumer(
                CounterConsumption consumption,
                Map<Integer, Integer> numbers,
                Map<Integer, Integer> sets) {
            var amounts = new TreeMap<Integer, Long>();
            for (var i = 0; i < consumption.counters().length; i++) {
                amounts.merge(
                        numbers.getOrDefault(consumption.counters()[i], NONE),
                        bounded(consumption.exactAmounts()[i]),
                        Long::sum);
            }
            return new CounterComponent.Consumer(
                    amounts,
                    Arrays.stream(consumption.sets())
                            .mapToObj(set -> sets.getOrDefault(set, NONE))
                            .toList(),
                    consumption.groups());
        }
    }
}
