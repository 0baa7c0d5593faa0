package dev.berth.core.allocate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Devices that compete for the same resources, and what they can give together: for each way to
/// divide them among classes of demand, how many each class gets.
///
/// Only the best ways are kept, those than which no other gives more to every class. Classes are
/// served from the largest to the smallest, and for the smallest a bound is enough, so that a
/// partitioned GPU has a dozen ways, not hundreds.
final class PackingComponent {

    private static final int MAX_LOOKS = 8_000;
    private static final double ROUNDING = 1e-9;

    /// One device that can be taken, once or more often, for any class of a set.
    ///
    /// @param classes bits of the classes
    /// @param times how often it can be taken
    /// @param resources numbers of the resources that it takes of
    @SuppressWarnings("ArrayRecordComponent") // compared by content below
    record Item(long classes, int times, int[] resources, long[] amounts) {

        boolean isTwinOf(Item other) {
            return classes == other.classes
                    && times == other.times
                    && Arrays.equals(resources, other.resources)
                    && Arrays.equals(amounts, other.amounts);
        }
    }

    private final List<Item> items;
    private final long[] left;
    private final double[] weights;
    private final int[] twins;
    private final int[] used;
    private final int[] order;
    private final int[] counts;
    private final List<int[]> best = new ArrayList<>();
    private final int[] caps;
    private final int maxLooks;
    private int looks;

    private PackingComponent(List<Item> items, long[] left, int[] caps, int maxLooks) {
        this.items = items;
        this.caps = caps;
        this.maxLooks = maxLooks;
        var classes = caps.length;
        this.left = left.clone();
        this.weights = new double[left.length];
        for (var i = 0; i < left.length; i++) {
            weights[i] = 1.0 / Math.max(1, left[i]);
        }
        this.twins = new int[items.size()];
        this.used = new int[items.size()];
        this.counts = new int[classes];
        for (var i = 0; i < twins.length; i++) {
            twins[i] = i;
            for (var j = 0; j < i && twins[i] == i; j++) {
                twins[i] = items.get(i).isTwinOf(items.get(j)) ? j : i;
            }
        }
        this.order = bySize(classes);
    }

    /// The best ways to divide the items.
    ///
    /// @param left what is left of each resource
    /// @param caps more than that is of no use to a class
    static List<int[]> divisions(List<Item> items, long[] left, int[] caps, ProofBudget effort) {
        var part = new PackingComponent(items, left, caps, effort.upTo(MAX_LOOKS));
        part.serve(0);
        effort.spend(part.looks);
        return part.isWithinLimit() ? part.best : List.of(part.eachAlone());
    }

    private boolean isWithinLimit() {
        return looks <= maxLooks;
    }

    /// Classes by the size of their smallest device, largest first; without those that have none.
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
            counts[order[nth]] = Math.min(caps[order[nth]], most(order[nth]));
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
        looks += items.size() - from;
        for (var i = from; i < items.size() && isWithinLimit(); i++) {
            if (!isOpen(i, c) || hasOpenTwin(i, c, from)) {
                continue;
            }
            take(i, 1);
            counts[c]++;
            choose(nth, i);
            counts[c]--;
            take(i, -1);
        }
    }

    private boolean hasOpenTwin(int item, int c, int from) {
        for (var j = Math.max(from, twins[item]); j < item; j++) {
            if (twins[j] == twins[item] && isOpen(j, c)) {
                return true;
            }
        }
        return false;
    }

    private boolean isOpen(int number, int c) {
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

    /// No more than so many of a class: all that are open, or as many as one resource feeds, or all
    /// resources together.
    private int most(int c) {
        looks += items.size();
        var open = 0;
        var smallest = Double.MAX_VALUE;
        var feeds = new int[left.length];
        var least = new long[left.length];
        Arrays.fill(least, Long.MAX_VALUE);
        for (var i = 0; i < items.size(); i++) {
            if (!isOpen(i, c)) {
                continue;
            }
            var item = items.get(i);
            var times = item.times - used[i];
            open += times;
            smallest = Math.min(smallest, size(item, weights));
            for (var j = 0; j < item.resources.length; j++) {
                var resource = item.resources[j];
                if (item.amounts[j] > 0) {
                    feeds[resource] += times;
                    least[resource] = Math.min(least[resource], item.amounts[j]);
                }
            }
        }
        var most = open;
        var together = 0.0;
        for (var resource = 0; resource < left.length; resource++) {
            if (feeds[resource] > 0) {
                together += left[resource] * weights[resource];
                var fed = left[resource] / least[resource];
                most = (int) Math.min(most, open - feeds[resource] + fed);
            }
        }
        return smallest > 0
                ? (int) Math.min(most, Math.floor(together / smallest * (1 + ROUNDING)))
                : most;
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

    /// What each class could get if it had everything: more than can be had, and quick to find.
    private int[] eachAlone() {
        var alone = new int[counts.length];
        for (var c : order) {
            alone[c] = Math.min(caps[c], most(c));
        }
        return alone;
    }
}
