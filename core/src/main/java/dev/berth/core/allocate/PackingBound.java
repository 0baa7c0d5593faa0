package dev.berth.core.allocate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Whether counters and capacities can feed all demands together.
///
/// Devices that compete for a resource of which there is not enough for all of them form a part;
/// what a part can give is found by [PackingComponent], and whether the parts together can give
/// enough by [PackingSum]. Parts that look the same, such as GPUs in the same state, are looked at
/// once: whatever was found out is kept for as long as the search lasts.
///
/// Constraints and compatibility groups are not looked at, and neither is what a shareable device
/// draws from counters, so that a `false` is a proof and a `true` is not.
final class PackingBound {

    private static final int MAX_CLASSES = 16;
    private static final long ENDLESS = 1L << 62;

    /// The divisions of a part.
    private record Part(int id, List<int[]> divisions) {}

    private final NodeDevices arena;
    private final SearchState state;
    private final boolean[] shareable;
    private final ProofBudget effort;
    private final boolean worthwhile;
    private final int[][] resources;
    private final Map<LongArrayKey, Part> parts = new HashMap<>();
    private final Map<LongArrayKey, Boolean> sums = new HashMap<>();
    private final long[] total;
    private final int[] firstItem;
    private final int[] local;

    PackingBound(NodeDevices arena, SearchState state, boolean[] shareable, ProofBudget effort) {
        this.arena = arena;
        this.state = state;
        this.shareable = shareable;
        this.effort = effort;
        this.total = new long[state.constraintsAt()];
        this.firstItem = new int[total.length];
        this.local = new int[total.length];
        this.resources = new int[arena.size()][];
        var any = false;
        for (var device = 0; device < arena.size(); device++) {
            any |= shareable[device];
            var counters = arena.draw(device).counters();
            resources[device] = new int[counters.length];
            for (var i = 0; i < counters.length; i++) {
                resources[device][i] = state.counterAt(arena.poolNumber(device), counters[i]);
                any |= arena.draw(device).amounts()[i] > 0;
                total[resources[device][i]] |= arena.draw(device).amounts()[i] < 0 ? 1 : 0;
            }
        }
        // A device that gives back to a counter instead of taking is nothing for bounds.
        this.worthwhile = any && Arrays.stream(total).noneMatch(marked -> marked != 0);
    }

    /// False when no device takes anything of anything.
    boolean isWorthwhile() {
        return worthwhile;
    }

    boolean isPossible(List<DemandCount> demands) {
        if (!worthwhile) {
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
        if (isServed(need)) {
            return true;
        }
        effort.spend(items.size());
        addUp(items);
        var groups = groups(items, need);
        return isServed(need) || covers(groups, need);
    }

    /// Demands that could change places are one.
    private static List<DemandCount> classes(List<DemandCount> demands) {
        var classes = new ArrayList<DemandCount>();
        for (var demand : demands) {
            if (!demand.exclusive()) {
                continue;
            }
            var like = 0;
            while (like < classes.size() && !areAlike(classes.get(like), demand)) {
                like++;
            }
            if (like == classes.size()) {
                classes.add(demand);
            } else {
                classes.set(like, joined(classes.get(like), demand));
            }
        }
        return classes;
    }

    @SuppressWarnings("ReferenceEquality") // a shortcut
    private static boolean areAlike(DemandCount a, DemandCount b) {
        return (a.kind() == b.kind() || a.needs() == b.needs())
                && Arrays.equals(a.available(), b.available());
    }

    private static DemandCount joined(DemandCount a, DemandCount b) {
        return new DemandCount(
                a.kind(),
                a.need() + b.need(),
                Math.max(a.atOnce(), b.atOnce()),
                a.requests() + b.requests(),
                a.available(),
                true,
                a.needs(),
                a.constraints(),
                a.values());
    }

    /// The devices that take something; others just serve their classes.
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
                serve(serves, 1, need);
                continue;
            }
            items.add(
                    new PackingComponent.Item(
                            serves, 1, resources[device], arena.draw(device).amounts()));
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
                serve(BitSets.bit(c), demand.requests(), need);
                continue;
            }
            var columns = new int[amounts.length];
            Arrays.setAll(columns, column -> state.capacityAt(device) + column);
            items.add(
                    new PackingComponent.Item(BitSets.bit(c), demand.requests(), columns, amounts));
        }
    }

    private static void serve(long classes, int times, int[] need) {
        for (var c = 0; c < need.length; c++) {
            need[c] -= (classes & BitSets.bit(c)) != 0 ? times : 0;
        }
    }

    private static boolean isServed(int[] need) {
        for (var one : need) {
            if (one > 0) {
                return false;
            }
        }
        return true;
    }

    /// How much everything that may be taken would take.
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
                        amount > ENDLESS / item.times()
                                ? ENDLESS
                                : Math.min(ENDLESS, total[resource] + amount * item.times());
            }
        }
    }

    private boolean isScarce(int resource) {
        return total[resource] > state.trail().at(resource);
    }

    /// Items that compete with each other for classes in need; those that compete with none just
    /// serve.
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
                serve(items.get(i).classes(), items.get(i).times(), need);
            }
        }
        var wanting = 0L;
        for (var c = 0; c < need.length; c++) {
            wanting |= need[c] > 0 ? BitSets.bit(c) : 0;
        }
        var groups = new HashMap<Integer, List<PackingComponent.Item>>();
        for (var i = 0; i < root.length; i++) {
            var item = items.get(i);
            var serves = item.classes() & wanting;
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
        var found = new ArrayList<Part>();
        for (var group : groups) {
            found.add(part(group, need));
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
                                        found.stream().map(Part::divisions).toList(),
                                        prices(groups, need.length),
                                        effort)
                                .covers(need));
    }

    /// What a device of each class takes at the least, in parts of what there is.
    private double[] prices(List<List<PackingComponent.Item>> groups, int classes) {
        var prices = new double[classes];
        Arrays.fill(prices, Double.MAX_VALUE);
        for (var group : groups) {
            for (var item : group) {
                var price = 0.0;
                for (var i = 0; i < item.amounts().length; i++) {
                    var there = state.trail().at(item.resources()[i]);
                    price += (double) item.amounts()[i] / Math.max(1, there);
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

    /// More than that no class can get of some items, or has a use for.
    private static int[] caps(List<PackingComponent.Item> items, int[] need) {
        var caps = new int[need.length];
        for (var item : items) {
            serve(item.classes(), -item.times(), caps);
        }
        for (var c = 0; c < caps.length; c++) {
            caps[c] = Math.min(caps[c], Math.max(0, need[c]));
        }
        return caps;
    }

    /// Resources get names of their own in each part; returns the longest that its description can
    /// be.
    private int forgetNames(List<PackingComponent.Item> items) {
        var length = 0;
        for (var item : items) {
            for (var resource : item.resources()) {
                local[resource] = -1;
            }
            length += 2 + 3 * item.resources().length;
        }
        return length;
    }

    /// The part that some items are, described by all that matters of them: their resources are
    /// numbered in the order in which they mention them.
    private Part part(List<PackingComponent.Item> items, int[] need) {
        var length = 1 + need.length + forgetNames(items);
        var caps = caps(items, need);
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
        var there = Arrays.copyOf(left, known);
        return parts.computeIfAbsent(
                new LongArrayKey(Arrays.copyOf(numbers, at)),
                _ ->
                        new Part(
                                parts.size(),
                                PackingComponent.divisions(renamed, there, caps, effort)));
    }
}
