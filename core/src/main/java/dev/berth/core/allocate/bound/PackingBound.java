package dev.berth.core.allocate.bound;

import dev.berth.core.allocate.state.BitSets;
import dev.berth.core.allocate.state.LongArrayKey;
import dev.berth.core.allocate.state.NodeDevices;
import dev.berth.core.allocate.state.SearchState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Upper bound: decides whether counters and capacities can suffice for all demands together.
///
/// Devices that compete for a scarce resource (a counter or a capacity) form a component.
/// [PackingComponent] computes what a component can supply, and [PackingSum] whether all components
/// together supply enough. Equal components, such as GPUs in the same state, are computed once;
/// results are cached for the duration of the search.
///
/// Ignores constraints, compatibility groups and the counters of shareable devices, so a `false` is
/// a proof and a `true` is not.
final class PackingBound {

    private static final int MAX_CLASSES = 16;
    private static final long UNBOUNDED = 1L << 62;

    /// A component with its divisions.
    private record Component(int id, List<int[]> divisions) {}

    private final NodeDevices nodeDevices;
    private final SearchState state;
    private final boolean[] shareable;
    private final ProofBudget proofBudget;
    private final boolean applicable;
    private final int[][] resources;
    private final Map<LongArrayKey, Component> components = new HashMap<>();
    private final Map<LongArrayKey, Boolean> sums = new HashMap<>();
    private final long[] total;
    private final int[] firstItem;
    private final int[] local;

    PackingBound(
            NodeDevices nodeDevices,
            SearchState state,
            boolean[] shareable,
            ProofBudget proofBudget) {
        this.nodeDevices = nodeDevices;
        this.state = state;
        this.shareable = shareable;
        this.proofBudget = proofBudget;
        this.total = new long[state.constraintsAt()];
        this.firstItem = new int[total.length];
        this.local = new int[total.length];
        this.resources = new int[nodeDevices.size()][];
        var any = false;
        for (var device = 0; device < nodeDevices.size(); device++) {
            any |= shareable[device];
            var counters = nodeDevices.consumption(device).counters();
            resources[device] = new int[counters.length];
            for (var i = 0; i < counters.length; i++) {
                resources[device][i] = state.counterAt(nodeDevices.poolNumber(device), counters[i]);
                any |= nodeDevices.consumption(device).amounts()[i] > 0;
                total[resources[device][i]] |=
                        nodeDevices.consumption(device).amounts()[i] < 0 ? 1 : 0;
            }
        }
        // With negative consumption the bounds do not hold.
        this.applicable = any && Arrays.stream(total).noneMatch(marked -> marked != 0);
    }

    boolean isPossible(List<DemandCount> demands) {
        if (!applicable) {
            return true;
        }
        var classes = classes(demands);
        if (classes.isEmpty() || classes.size() > MAX_CLASSES) {
            return true;
        }
        var need = new int[classes.size()];
        for (var c = 0; c < need.length; c++) {
            need[c] = classes.get(c).need();
        }
        var items = items(classes, need);
        if (isCovered(need)) {
            return true;
        }
        proofBudget.spend(items.size());
        addUp(items);
        var groups = groups(items, need);
        return isCovered(need) || covers(groups, need);
    }

    /// Merges equivalent demands into classes.
    private static List<DemandCount> classes(List<DemandCount> demands) {
        var classes = new ArrayList<DemandCount>();
        for (var demand : demands) {
            if (!demand.exclusive()) {
                continue;
            }
            var like = 0;
            while (like < classes.size() && !areEquivalent(classes.get(like), demand)) {
                like++;
            }
            if (like == classes.size()) {
                classes.add(demand);
            } else {
                classes.set(like, merged(classes.get(like), demand));
            }
        }
        return classes;
    }

    @SuppressWarnings("ReferenceEquality") // a shortcut
    private static boolean areEquivalent(DemandCount a, DemandCount b) {
        return (a.kind() == b.kind() || a.needs() == b.needs())
                && Arrays.equals(a.available(), b.available());
    }

    private static DemandCount merged(DemandCount a, DemandCount b) {
        return new DemandCount(
                a.kind(),
                a.need() + b.need(),
                Math.max(a.largest(), b.largest()),
                a.requests() + b.requests(),
                a.available(),
                true,
                a.needs(),
                a.constraints(),
                a.values());
    }

    /// The devices that consume resources. Devices without consumption are subtracted from the need
    /// of their classes at once.
    private List<PackingComponent.Item> items(List<DemandCount> classes, int[] need) {
        var items = new ArrayList<PackingComponent.Item>();
        var any = new long[state.words()];
        classes.forEach(demand -> BitSets.add(any, demand.available()));
        for (var device = BitSets.next(any, 0);
                device >= 0;
                device = BitSets.next(any, device + 1)) {
            if (shareable[device]) {
                addShareable(items, classes, need, device);
                continue;
            }
            var serves = 0L;
            for (var c = 0; c < need.length; c++) {
                serves |= BitSets.has(classes.get(c).available(), device) ? BitSets.bit(c) : 0;
            }
            if (resources[device].length == 0) {
                PackingComponent.subtract(serves, 1, need);
                continue;
            }
            items.add(
                    new PackingComponent.Item(
                            serves,
                            1,
                            resources[device],
                            nodeDevices.consumption(device).amounts()));
        }
        return items;
    }

    private void addShareable(
            List<PackingComponent.Item> items, List<DemandCount> classes, int[] need, int device) {
        for (var c = 0; c < need.length; c++) {
            var demand = classes.get(c);
            if (!BitSets.has(demand.available(), device)) {
                continue;
            }
            var amounts = demand.needs()[device];
            if (amounts.length == 0) {
                PackingComponent.subtract(BitSets.bit(c), demand.requests(), need);
                continue;
            }
            var columns = new int[amounts.length];
            Arrays.setAll(columns, column -> state.capacityAt(device) + column);
            items.add(
                    new PackingComponent.Item(BitSets.bit(c), demand.requests(), columns, amounts));
        }
    }

    private static boolean isCovered(int[] need) {
        for (var one : need) {
            if (one > 0) {
                return false;
            }
        }
        return true;
    }

    /// Sums the consumption of all items by resource.
    private void addUp(List<PackingComponent.Item> items) {
        for (var item : items) {
            for (var resource : item.resources()) {
                total[resource] = 0;
                firstItem[resource] = -1;
            }
        }
        for (var item : items) {
            for (var i = 0; i < item.amounts().length; i++) {
                var resource = item.resources()[i];
                var amount = item.amounts()[i];
                total[resource] =
                        amount > UNBOUNDED / item.times()
                                ? UNBOUNDED
                                : Math.min(UNBOUNDED, total[resource] + amount * item.times());
            }
        }
    }

    private boolean isScarce(int resource) {
        return total[resource] > state.trail().at(resource);
    }

    /// Groups of items that compete for scarce resources. Items without competition are subtracted
    /// from the need at once.
    private List<List<PackingComponent.Item>> groups(
            List<PackingComponent.Item> items, int[] need) {
        var root = new int[items.size()];
        var competes = new boolean[items.size()];
        for (var i = 0; i < root.length; i++) {
            root[i] = i;
            for (var resource : items.get(i).resources()) {
                if (!isScarce(resource)) {
                    continue;
                }
                competes[i] = true;
                if (firstItem[resource] < 0) {
                    firstItem[resource] = i;
                } else {
                    join(root, firstItem[resource], i);
                }
            }
            if (!competes[i]) {
                PackingComponent.subtract(items.get(i).classes(), items.get(i).times(), need);
            }
        }
        var unserved = 0L;
        for (var c = 0; c < need.length; c++) {
            unserved |= need[c] > 0 ? BitSets.bit(c) : 0;
        }
        var groups = new HashMap<Integer, List<PackingComponent.Item>>();
        for (var i = 0; i < root.length; i++) {
            var item = items.get(i);
            var serves = item.classes() & unserved;
            if (competes[i] && serves != 0) {
                groups.computeIfAbsent(find(root, i), _ -> new ArrayList<>())
                        .add(
                                new PackingComponent.Item(
                                        serves, item.times(), item.resources(), item.amounts()));
            }
        }
        return List.copyOf(groups.values());
    }

    private static void join(int[] root, int a, int b) {
        var rootA = find(root, a);
        var rootB = find(root, b);
        root[Math.max(rootA, rootB)] = Math.min(rootA, rootB);
    }

    private static int find(int[] root, int item) {
        var at = item;
        while (root[at] != at) {
            root[at] = root[root[at]];
            at = root[at];
        }
        return at;
    }

    private boolean covers(List<List<PackingComponent.Item>> groups, int[] need) {
        var found = new ArrayList<Component>();
        for (var group : groups) {
            found.add(component(group, need));
        }
        found.sort((a, b) -> Integer.compare(a.id, b.id));
        var numbers = new long[need.length + found.size() + 1];
        numbers[0] = need.length;
        for (var c = 0; c < need.length; c++) {
            numbers[c + 1] = Math.max(0, need[c]);
        }
        for (var i = 0; i < found.size(); i++) {
            numbers[need.length + 1 + i] = found.get(i).id;
        }
        return sums.computeIfAbsent(
                new LongArrayKey(numbers),
                _ ->
                        new PackingSum(
                                        found.stream().map(Component::divisions).toList(),
                                        prices(groups, need.length),
                                        proofBudget)
                                .covers(need));
    }

    /// Initial prices: the least consumption of a device of each class, relative to the remaining
    /// amounts.
    private double[] prices(List<List<PackingComponent.Item>> groups, int classes) {
        var prices = new double[classes];
        Arrays.fill(prices, Double.MAX_VALUE);
        for (var group : groups) {
            for (var item : group) {
                var price = 0.0;
                for (var i = 0; i < item.amounts().length; i++) {
                    var remaining = state.trail().at(item.resources()[i]);
                    price += (double) item.amounts()[i] / Math.max(1, remaining);
                }
                for (var c = 0; c < classes; c++) {
                    if ((item.classes() & BitSets.bit(c)) != 0) {
                        prices[c] = Math.min(prices[c], price);
                    }
                }
            }
        }
        for (var c = 0; c < classes; c++) {
            prices[c] = prices[c] == Double.MAX_VALUE ? 0 : prices[c];
        }
        return prices;
    }

    /// Resets the component-local numbers of resources; returns the maximum length of the key.
    private int resetLocalNumbers(List<PackingComponent.Item> items) {
        var length = 0;
        for (var item : items) {
            for (var resource : item.resources()) {
                local[resource] = -1;
            }
            length += 2 + 3 * item.resources().length;
        }
        return length;
    }

    /// The component of these items. Its key holds everything that determines the divisions, with
    /// resources numbered in the order of their first use.
    private Component component(List<PackingComponent.Item> items, int[] need) {
        var length = 1 + need.length + resetLocalNumbers(items);
        var caps = PackingComponent.caps(items, need);
        var numbers = new long[length];
        var at = 0;
        numbers[at++] = need.length;
        for (var cap : caps) {
            numbers[at++] = cap;
        }
        var known = 0;
        var renamed = new ArrayList<PackingComponent.Item>();
        var left = new long[length];
        for (var item : items) {
            numbers[at++] = item.classes();
            var countAt = at++;
            var renumbered = new int[item.resources().length];
            var amounts = new long[renumbered.length];
            var count = 0;
            for (var i = 0; i < renumbered.length; i++) {
                var resource = item.resources()[i];
                if (!isScarce(resource)) {
                    continue;
                }
                var fresh = local[resource] < 0;
                local[resource] = fresh ? known : local[resource];
                numbers[at++] = local[resource];
                if (fresh) {
                    left[known++] = state.trail().at(resource);
                    numbers[at++] = state.trail().at(resource);
                }
                renumbered[count] = local[resource];
                amounts[count] = item.amounts()[i];
                numbers[at++] = amounts[count++];
            }
            numbers[countAt] = ((long) item.times() << 32) | count;
            renamed.add(
                    new PackingComponent.Item(
                            item.classes(),
                            item.times(),
                            Arrays.copyOf(renumbered, count),
                            Arrays.copyOf(amounts, count)));
        }
        var remaining = Arrays.copyOf(left, known);
        return components.computeIfAbsent(
                new LongArrayKey(Arrays.copyOf(numbers, at)),
                _ ->
                        new Component(
                                components.size(),
                                PackingComponent.divisions(renamed, remaining, caps, proofBudget)));
    }
}
