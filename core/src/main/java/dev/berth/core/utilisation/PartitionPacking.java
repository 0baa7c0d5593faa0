package dev.berth.core.utilisation;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The largest number of devices of a [CounterComponent] that can be allocated at the same time.
///
/// Depth-first search, smallest devices first, with an upper bound by the counters: mostly the
/// first solution reaches the bound. Devices with equal consumption are tried once. The number of
/// steps is limited; a search that reaches the limit returns the best solution found.
final class PartitionPacking {

    private static final int MAX_STEPS = 20_000;

    /// Compatibility groups of devices that have none in common.
    private static final List<String> CONFLICT = List.of("\u0000");

    /// A solution of the search.
    ///
    /// @param devices the chosen devices
    /// @param isExact false when the search ended at its limit
    record Solution(List<Integer> devices, boolean isExact) {
        Solution {
            devices = List.copyOf(devices);
        }
    }

    private final CounterComponent component;
    private final int[] order;
    private final long[][] fewest;
    private final long[] left;
    private final long[] sums;
    private final Map<Integer, List<String>> members;
    private final Deque<Integer> chosen = new ArrayDeque<>();
    private List<Integer> best = List.of();
    private int steps;

    private PartitionPacking(
            CounterComponent component, BitSet candidates, CounterComponent.Remaining remaining) {
        this.component = component;
        this.order =
                candidates.stream()
                        .boxed()
                        .sorted(
                                Comparator.<Integer>comparingDouble(this::size)
                                        .thenComparing(
                                                one -> component.consumers().get(one).toString()))
                        .mapToInt(Integer::intValue)
                        .toArray();
        this.left = remaining.counters().stream().mapToLong(Long::longValue).toArray();
        this.sums = component.groupSums(remaining.counters());
        this.members = new HashMap<>(remaining.members());
        this.fewest = fewest();
    }

    static Solution of(
            CounterComponent component, BitSet candidates, CounterComponent.Remaining remaining) {
        var packing = new PartitionPacking(component, candidates, remaining);
        packing.search(0);
        return new Solution(packing.best, packing.steps < MAX_STEPS);
    }

    /// The largest share of a counter group that a device consumes.
    private double size(int consumer) {
        var needs = component.groupNeeds(consumer);
        var most = 0.0;
        for (var group = 0; group < needs.length; group++) {
            var total = component.groupTotals().get(group);
            most = Math.max(most, total > 0 ? (double) needs[group] / total : 0);
        }
        return most;
    }

    /// The smallest need of each group among the candidates from a place in the order on.
    private long[][] fewest() {
        var groups = component.groupTotals().size();
        var all = new long[order.length + 1][groups];
        Arrays.fill(all[order.length], Long.MAX_VALUE);
        for (var place = order.length - 1; place >= 0; place--) {
            var needs = component.groupNeeds(order[place]);
            for (var group = 0; group < groups; group++) {
                all[place][group] = Math.min(needs[group], all[place + 1][group]);
            }
        }
        return all;
    }

    private void search(int from) {
        if (chosen.size() > best.size()) {
            best = List.copyOf(chosen);
        }
        for (var place = from; place < order.length; place++) {
            if (chosen.size() + bound(place) <= best.size() || steps >= MAX_STEPS) {
                return;
            }
            steps++;
            var device = order[place];
            if (isRepeated(place, from) || !fits(device)) {
                continue;
            }
            var before = take(device);
            chosen.addLast(device);
            search(place + 1);
            chosen.removeLast();
            giveBack(device, before);
        }
    }

    /// An upper bound on the number of further devices.
    private long bound(int place) {
        var most = (long) order.length - place;
        for (var group = 0; group < sums.length; group++) {
            var need = fewest[place][group];
            if (need > 0) {
                most = Math.min(most, sums[group] / need);
            }
        }
        return most;
    }

    /// Whether an equal device was tried before at the same depth.
    private boolean isRepeated(int place, int from) {
        return place > from
                && component
                        .consumers()
                        .get(order[place])
                        .equals(component.consumers().get(order[place - 1]));
    }

    private boolean fits(int device) {
        var consumer = component.consumers().get(device);
        for (var need : consumer.amounts().entrySet()) {
            if (left[need.getKey()] < need.getValue()) {
                return false;
            }
        }
        for (var i = 0; i < consumer.sets().size(); i++) {
            var present = members.get(consumer.sets().get(i));
            if (present != null
                    && joined(present, consumer.compatibilityGroups().get(i)).equals(CONFLICT)) {
                return false;
            }
        }
        return true;
    }

    /// The common compatibility groups of the members of a counter set and a further device.
    static List<String> joined(List<String> present, List<String> added) {
        if (present.isEmpty() && added.isEmpty()) {
            return List.of();
        }
        var common = present.stream().filter(added::contains).toList();
        return common.isEmpty() ? CONFLICT : common;
    }

    private Map<Integer, List<String>> take(int device) {
        var before = Map.copyOf(members);
        var consumer = component.consumers().get(device);
        add(consumer, -1);
        for (var i = 0; i < consumer.sets().size(); i++) {
            var added = consumer.compatibilityGroups().get(i);
            members.merge(consumer.sets().get(i), added, (present, more) -> joined(present, more));
        }
        return before;
    }

    private void giveBack(int device, Map<Integer, List<String>> before) {
        add(component.consumers().get(device), 1);
        members.clear();
        members.putAll(before);
    }

    private void add(CounterComponent.Consumer consumer, int sign) {
        consumer.amounts()
                .forEach((counter, amount) -> {
                    left[counter] += sign * amount;
                    sums[component.groupOf(counter)] += sign * amount;
                });
    }
}
