package dev.berth.core.utilisation;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// Devices that consume common counters, for example a GPU and its partitions. Counters and devices
/// have local numbers, so that equal GPUs of a cluster are one component.
///
/// A class with a stored hash code, because components are keys of caches.
final class CounterComponent {

    /// The consumption of a device.
    ///
    /// @param amounts by counter
    /// @param sets consumed counter sets
    /// @param compatibilityGroups compatibility groups of the device in each of these sets
    record Consumer(
            SortedMap<Integer, Long> amounts,
            List<Integer> sets,
            List<List<String>> compatibilityGroups) {}

    private final List<Long> totals;
    private final List<Integer> groupOf;
    private final List<Long> groupTotals;
    private final List<Consumer> consumers;
    private final int hash;

    /// @param totals total of each counter
    /// @param groupOf group of each counter: counters that differ only in a number have one group
    /// @param groupTotals sum of the totals of each group
    /// @param consumers devices
    CounterComponent(
            List<Long> totals,
            List<Integer> groupOf,
            List<Long> groupTotals,
            List<Consumer> consumers) {
        this.totals = List.copyOf(totals);
        this.groupOf = List.copyOf(groupOf);
        this.groupTotals = List.copyOf(groupTotals);
        this.consumers = List.copyOf(consumers);
        this.hash = Objects.hash(totals, groupOf, groupTotals, consumers);
    }

    int groupOf(int counter) {
        return groupOf.get(counter);
    }

    List<Long> groupTotals() {
        return groupTotals;
    }

    List<Consumer> consumers() {
        return consumers;
    }

    /// Remaining amounts of a component.
    ///
    /// @param counters remaining amount of each counter
    /// @param members compatibility groups of the allocated devices of each counter set; empty
    ///   without allocated devices
    record Remaining(List<Long> counters, Map<Integer, List<String>> members) {

        Remaining {
            counters = List.copyOf(counters);
            members = Map.copyOf(members);
        }
    }

    /// The component with all counters.
    Remaining whole() {
        return new Remaining(totals, Map.of());
    }

    /// The sum of the remaining amounts of each group.
    long[] groupSums(List<Long> counters) {
        var sums = new long[groupTotals.size()];
        for (var counter = 0; counter < counters.size(); counter++) {
            sums[groupOf.get(counter)] += Math.max(0, counters.get(counter));
        }
        return sums;
    }

    /// The amount of each group that a device consumes.
    long[] groupNeeds(int consumer) {
        var needs = new long[groupTotals.size()];
        consumers
                .get(consumer)
                .amounts
                .forEach((counter, amount) -> needs[groupOf.get(counter)] += amount);
        return needs;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof CounterComponent that
                        && hash == that.hash
                        && totals.equals(that.totals)
                        && groupOf.equals(that.groupOf)
                        && groupTotals.equals(that.groupTotals)
                        && consumers.equals(that.consumers));
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
