package dev.berth.core.allocate.bound;

import dev.berth.core.allocate.state.BitSets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A group of devices that compete for the same counters or capacities. Computes its divisions: the
/// numbers of devices that it can supply to each demand class at the same time.
///
/// Only Pareto-optimal divisions are kept. Classes are served from the largest to the smallest
/// device size, and for the smallest class an upper bound suffices, so a partitioned GPU has a
/// dozen divisions, not hundreds.
final class PackingComponent {

    private static final int MAX_WORK = 8_000;
    private static final double ROUNDING = 1e-9;

    /// A device that can be assigned, once or several times, to any of a set of classes.
    ///
    /// @param classes bit set of the classes
    /// @param times how many times it can be assigned
    /// @param resources numbers of the counters or capacities that it consumes
    @SuppressWarnings("ArrayRecordComponent") // compared by content below
    record Item(long classes, int times, int[] resources, long[] amounts) {

        boolean equalsItem(Item other) {
            return classes == other.classes
                    && times == other.times
                    && Arrays.equals(resources, other.resources)
                    && Arrays.equals(amounts, other.amounts);
        }
    }

    private final List<Item> items;
    private final long[] left;
    private final double[] weights;
    private final int[] firstEqual;
    private final int[] used;
    private final int[] order;
    private final int[] counts;
    private final List<int[]> best = new ArrayList<>();
    private final int[] caps;
    private final int maxWork;
    private int work;

    private PackingComponent(List<Item> items, long[] left, int[] caps, int maxWork) {
        this.items = items;
        this.caps = caps;
        this.maxWork = maxWork;
        var classes = caps.length;
        this.left = left.clone();
        this.weights = new double[left.length];
        for (var i = 0; i < left.length; i++) {
            weights[i] = 1.0 / Math.max(1, left[i]);
        }
        this.firstEqual = new int[items.size()];
        this.used = new int[items.size()];
        this.counts = new int[classes];
        for (var i = 0; i < firstEqual.length; i++) {
            firstEqual[i] = i;
            for (var j = 0; j < i && firstEqual[i] == i; j++) {
                firstEqual[i] = items.get(i).equalsItem(items.get(j)) ? j : i;
            }
        }
        this.order = bySize(classes);
    }

    /// The Pareto-optimal divisions of the items.
    ///
    /// @param left the remaining amount of each resource
    /// @param caps the largest useful count of each class
    static List<int[]> divisions(
            List<Item> items, long[] left, int[] caps, ProofBudget proofBudget) {
        var component = new PackingComponent(items, left, caps, proofBudget.upTo(MAX_WORK));
        component.serve(0);
        proofBudget.spend(component.work);
        return component.isWithinLimit() ? component.best : List.of(component.upperBounds());
    }

    private boolean isWithinLimit() {
        return work <= maxWork;
    }

    /// Classes by the size of their smallest device, largest first; classes without devices are
    /// omitted.
    private int[] bySize(int classes) {
        var sizes = new double[classes];
        Arrays.fill(sizes, -1);
        for (var item : items) {
            var size = size(item, weights);
            for (var c = 0; c < classes; c++) {
                if ((item.classes & BitSets.bit(c)) != 0) {
                    sizes[c] = sizes[c] < 0 ? size : Math.min(sizes[c], size);
                }
            }
        }
        var sorted = new ArrayList<Integer>();
        for (var c = 0; c < classes; c++) {
            if (sizes[c] >= 0) {
                sorted.add(c);
            }
        }
        sorted.sort((a, b) -> Double.compare(sizes[b], sizes[a]));
        return sorted.stream().mapToInt(Integer::intValue).toArray();
    }

    private static double size(Item item, double[] weights) {
        var size = 0.0;
        for (var i = 0; i < item.resources.length; i++) {
            size += item.amounts[i] * weights[item.resources[i]];
        }
        return size;
    }

    private void serve(int nth) {
        if (!isWithinLimit()) {
            return;
        }
        if (nth == order.length - 1) {
            counts[order[nth]] = Math.min(caps[order[nth]], upperBound(order[nth]));
            keep();
            counts[order[nth]] = 0;
            return;
        }
        choose(nth, 0);
    }

    private void choose(int nth, int from) {
        serve(nth + 1);
        var c = order[nth];
        if (counts[c] == caps[c]) {
            return;
        }
        work += items.size() - from;
        for (var i = from; i < items.size() && isWithinLimit(); i++) {
            if (!isAvailable(i, c) || hasAvailableEqual(i, c, from)) {
                continue;
            }
            take(i, 1);
            counts[c]++;
            choose(nth, i);
            counts[c]--;
            take(i, -1);
        }
    }

    private boolean hasAvailableEqual(int item, int c, int from) {
        for (var j = Math.max(from, firstEqual[item]); j < item; j++) {
            if (firstEqual[j] == firstEqual[item] && isAvailable(j, c)) {
                return true;
            }
        }
        return false;
    }

    private boolean isAvailable(int number, int c) {
        var item = items.get(number);
        if (used[number] >= item.times || (item.classes & BitSets.bit(c)) == 0) {
            return false;
        }
        for (var i = 0; i < item.resources.length; i++) {
            if (left[item.resources[i]] < item.amounts[i]) {
                return false;
            }
        }
        return true;
    }

    private void take(int number, int sign) {
        var item = items.get(number);
        used[number] += sign;
        for (var i = 0; i < item.resources.length; i++) {
            left[item.resources[i]] -= sign * item.amounts[i];
        }
    }

    /// Upper bound of the devices of a class: limited by the available items, by each resource, and
    /// by all resources together.
    private int upperBound(int c) {
        work += items.size();
        var open = 0;
        var smallest = Double.MAX_VALUE;
        var consumers = new int[left.length];
        var least = new long[left.length];
        Arrays.fill(least, Long.MAX_VALUE);
        for (var i = 0; i < items.size(); i++) {
            if (!isAvailable(i, c)) {
                continue;
            }
            var item = items.get(i);
            var times = item.times - used[i];
            open += times;
            smallest = Math.min(smallest, size(item, weights));
            for (var j = 0; j < item.resources.length; j++) {
                var resource = item.resources[j];
                if (item.amounts[j] > 0) {
                    consumers[resource] += times;
                    least[resource] = Math.min(least[resource], item.amounts[j]);
                }
            }
        }
        var upperBound = open;
        var together = 0.0;
        for (var resource = 0; resource < left.length; resource++) {
            if (consumers[resource] > 0) {
                together += left[resource] * weights[resource];
                var supported = left[resource] / least[resource];
                upperBound = (int) Math.min(upperBound, open - consumers[resource] + supported);
            }
        }
        return smallest > 0
                ? (int) Math.min(upperBound, Math.floor(together / smallest * (1 + ROUNDING)))
                : upperBound;
    }

    private void keep() {
        for (var other : best) {
            if (isWithin(counts, other)) {
                return;
            }
        }
        best.removeIf(other -> isWithin(other, counts));
        best.add(counts.clone());
    }

    private static boolean isWithin(int[] a, int[] b) {
        for (var i = 0; i < a.length; i++) {
            if (a[i] > b[i]) {
                return false;
            }
        }
        return true;
    }

    /// The upper bound of each class alone. Cheaper than the divisions and never too low.
    private int[] upperBounds() {
        var alone = new int[counts.length];
        for (var c : order) {
            alone[c] = Math.min(caps[c], upperBound(c));
        }
        return alone;
    }

    /// The largest useful count of each class: limited by the items and by the need.
    static int[] caps(List<Item> items, int[] need) {
        var caps = new int[need.length];
        for (var item : items) {
            subtract(item.classes(), -item.times(), caps);
        }
        for (var c = 0; c < caps.length; c++) {
            caps[c] = Math.min(caps[c], Math.max(0, need[c]));
        }
        return caps;
    }

    static void subtract(long classes, int times, int[] need) {
        for (var c = 0; c < need.length; c++) {
            need[c] -= (classes & BitSets.bit(c)) != 0 ? times : 0;
        }
    }
}
