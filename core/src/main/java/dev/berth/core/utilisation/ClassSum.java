package dev.berth.core.utilisation;

import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.node.Node;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/// Adds up the parts of one class and derives what still fits.
final class ClassSum {

    private static final List<Integer> SIZES = List.of(1, 2, 4, 8);

    /// The devices of one node or of one set of nodes, from one or several pools.
    private static final class LocationSum {

        private final List<ClassPart.Location> parts = new ArrayList<>(1);

        private Utilisation total() {
            return parts.stream()
                    .map(ClassPart.Location::total)
                    .reduce(Utilisation.NONE, Utilisation::plus);
        }

        private SlotSummary all() {
            return joined(parts.stream().map(ClassPart.Location::all).toList());
        }

        private SortedMap<String, SlotSummary> profiles() {
            return joined(ClassPart.Location::profiles);
        }

        private SortedMap<Integer, SlotSummary> requested() {
            return joined(ClassPart.Location::requested);
        }

        private <K> SortedMap<K, SlotSummary> joined(
                Function<ClassPart.Location, SortedMap<K, SlotSummary>> summaries) {
            if (parts.size() == 1) {
                return summaries.apply(parts.getFirst());
            }
            var lists = new TreeMap<K, List<SlotSummary>>();
            for (var part : parts) {
                summaries
                        .apply(part)
                        .forEach((key, summary) ->
                                lists.computeIfAbsent(key, _ -> new ArrayList<>()).add(summary));
            }
            var joined = new TreeMap<K, SlotSummary>();
            lists.forEach((key, list) -> joined.put(key, joined(list)));
            return joined;
        }

        /// The only summary itself, so that equal nodes keep one object.
        private static SlotSummary joined(List<SlotSummary> summaries) {
            if (summaries.size() == 1) {
                return summaries.getFirst();
            }
            var joined = SlotSummary.none();
            summaries.forEach(joined::add);
            return joined;
        }
    }

    /// Summaries of nodes with the number of nodes that have each of them.
    private static final class NodeCounts {

        private final IdentityHashMap<SlotSummary, Long> counts = new IdentityHashMap<>();

        private void add(SlotSummary summary) {
            counts.merge(summary, 1L, Long::sum);
        }

        private long sum(ToLongFunction<SlotSummary> count) {
            var sum = 0L;
            for (var entry : counts.entrySet()) {
                var all = FitTotals.product(count.applyAsLong(entry.getKey()), entry.getValue());
                sum = FitTotals.sum(sum, all);
            }
            return sum;
        }

        private long max(ToLongFunction<SlotSummary> count) {
            return counts.keySet().stream().mapToLong(count).max().orElse(0);
        }

        private boolean all(Predicate<SlotSummary> condition) {
            return counts.keySet().stream().allMatch(condition);
        }

        /// The number of single devices that could be allocated if what is left were together.
        private long allocations() {
            var totals = new FitTotals();
            counts.forEach((summary, number) -> totals.add(summary.totals(), number));
            return totals.allocations();
        }
    }

    private final String deviceClass;
    private final Map<BitSet, LocationSum> locations = new LinkedHashMap<>();
    private final SortedMap<String, Double> namespaces = new TreeMap<>();
    private Utilisation total = Utilisation.NONE;
    private long free;
    private long partlyUsed;
    private long unavailable;
    private long adminAccess;
    private boolean hasOnlyPartitions = true;

    ClassSum(String deviceClass) {
        this.deviceClass = deviceClass;
    }

    void add(ClassPart part) {
        free += part.free();
        partlyUsed += part.partlyUsed();
        unavailable += part.unavailable();
        adminAccess += part.adminAccess();
        part.namespaces()
                .forEach((namespace, share) -> namespaces.merge(namespace, share, Double::sum));
        for (var location : part.locations()) {
            total = total.plus(location.total());
            hasOnlyPartitions &= location.hasOnlyPartitions();
            locations.computeIfAbsent(location.nodes(), _ -> new LocationSum()).parts.add(location);
        }
    }

    ClassUtilisation utilisation(List<Node> nodes, RequestedSizes requested) {
        var byNode = new TreeMap<String, NodeUtilisation>();
        var all = new NodeCounts();
        for (var entry : locations.entrySet()) {
            var summary = entry.getValue().all();
            all.add(summary);
            if (entry.getKey().cardinality() == 1) {
                byNode.put(
                        nodes.get(entry.getKey().nextSetBit(0)).name(),
                        new NodeUtilisation(entry.getValue().total(), summary.now().distinct()));
            }
        }
        return new ClassUtilisation(
                deviceClass,
                total,
                free,
                partlyUsed,
                unavailable,
                all.sum(one -> one.now().groups(1)),
                adminAccess,
                byNode,
                namespaces,
                fits(all, requested));
    }

    private List<Fit> fits(NodeCounts all, RequestedSizes requested) {
        var fits = new ArrayList<Fit>();
        var most = all.max(one -> one.whole().distinct());
        var counts = new TreeSet<>(requested.counts(deviceClass));
        if (!hasOnlyPartitions) {
            SIZES.stream().filter(size -> size == 1 || size <= most).forEach(counts::add);
        }
        var left = all.allocations();
        counts.forEach(count -> fits.add(fit(new FitSize.OnOneNode(count), all, count, left)));
        addNumaFits(all, left, fits);
        var profiles = new TreeMap<String, NodeCounts>();
        var requests = new TreeMap<Integer, NodeCounts>();
        for (var location : locations.values()) {
            location.profiles()
                    .forEach((profile, summary) ->
                            profiles.computeIfAbsent(profile, _ -> new NodeCounts()).add(summary));
            location.requested()
                    .forEach((number, summary) ->
                            requests.computeIfAbsent(number, _ -> new NodeCounts()).add(summary));
        }
        profiles.forEach((profile, summaries) -> {
            var size = new FitSize.Partition(profile);
            fits.add(fit(size, summaries, 1, summaries.allocations()));
        });
        requests.forEach((number, summaries) -> {
            var demand = requested.demands(deviceClass).get(number - 1);
            if (demand.count() instanceof AllocationCount.ExactCount(var count)) {
                var size = new FitSize.Requested(number, demand);
                fits.add(fit(size, summaries, (int) count, summaries.allocations()));
            }
        });
        return fits;
    }

    private void addNumaFits(NodeCounts all, long left, List<Fit> fits) {
        if (hasOnlyPartitions || all.all(one -> !one.whole().hasNumaNodes())) {
            return;
        }
        var most = all.max(one -> one.whole().distinctOnOneNumaNode());
        for (var size : SIZES) {
            if (size == 1 || size <= most) {
                var now = all.sum(one -> one.now().numaGroups(size));
                var whole = all.sum(one -> one.whole().numaGroups(size));
                var isExact = isDisjoint(size) && all.all(one -> one.now().isNumaExact());
                var together = together(left, size, whole, now);
                fits.add(new Fit(new FitSize.OnOneNumaNode(size), now, together, isExact));
            }
        }
    }

    private Fit fit(FitSize size, NodeCounts summaries, int count, long left) {
        var now = summaries.sum(one -> one.now().groups(count));
        var whole = summaries.sum(one -> one.whole().groups(count));
        var isExact = isDisjoint(count) && summaries.all(one -> one.now().isExact());
        return new Fit(size, now, together(left, count, whole, now), isExact);
    }

    /// The smaller of two bounds: what is left in all, and what fits on free nodes.
    private static long together(long left, int count, long whole, long now) {
        var groups = left == Fit.UNLIMITED ? left : left / count;
        return Math.max(now, Math.min(groups, whole));
    }

    /// Whether no request could combine devices of several locations.
    private boolean isDisjoint(int count) {
        if (count == 1 || locations.size() == 1) {
            return true;
        }
        return locations.keySet().stream().allMatch(nodes -> nodes.cardinality() == 1);
    }
}
