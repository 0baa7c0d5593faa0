package dev.berth.core.utilisation;

import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.node.Node;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// Adds up the parts of one class and derives what still fits.
final class ClassSum {

    private static final List<Integer> SIZES = List.of(1, 2, 4, 8);

    /// The devices of one node or of one set of nodes.
    private static final class LocationSum {
        private Utilisation total = Utilisation.NONE;
        private final SlotSummary all = SlotSummary.none();
        private final SortedMap<String, SlotSummary> profiles = new TreeMap<>();
        private final SortedMap<Integer, SlotSummary> requested = new TreeMap<>();

        private void add(ClassPart.Location part) {
            total = total.plus(part.total());
            all.add(part.all());
            part.profiles()
                    .forEach((profile, summary) ->
                            profiles.computeIfAbsent(profile, _ -> SlotSummary.none())
                                    .add(summary));
            part.requested()
                    .forEach((number, summary) ->
                            requested
                                    .computeIfAbsent(number, _ -> SlotSummary.none())
                                    .add(summary));
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
            locations.computeIfAbsent(location.nodes(), _ -> new LocationSum()).add(location);
        }
    }

    ClassUtilisation utilisation(List<Node> nodes, RequestedSizes requested) {
        var byNode = new TreeMap<String, NodeUtilisation>();
        var available = 0L;
        for (var entry : locations.entrySet()) {
            var location = entry.getValue();
            available = FitTotals.sum(available, location.all.now().groups(1));
            if (entry.getKey().cardinality() == 1) {
                byNode.put(
                        nodes.get(entry.getKey().nextSetBit(0)).name(),
                        new NodeUtilisation(location.total, location.all.now().distinct()));
            }
        }
        return new ClassUtilisation(
                deviceClass,
                total,
                free,
                partlyUsed,
                unavailable,
                available,
                adminAccess,
                byNode,
                namespaces,
                fits(requested));
    }

    private List<Fit> fits(RequestedSizes requested) {
        var fits = new ArrayList<Fit>();
        var all = locations.values().stream().map(one -> one.all).toList();
        var most = all.stream().mapToLong(one -> one.whole().distinct()).max().orElse(0);
        var counts = new TreeSet<>(requested.counts(deviceClass));
        if (!hasOnlyPartitions) {
            SIZES.stream().filter(size -> size == 1 || size <= most).forEach(counts::add);
        }
        counts.forEach(count -> fits.add(fit(new FitSize.OnOneNode(count), all, count)));
        addNumaFits(all, fits);
        var profiles = new TreeMap<String, List<SlotSummary>>();
        var requests = new TreeMap<Integer, List<SlotSummary>>();
        for (var location : locations.values()) {
            location.profiles.forEach((profile, summary) ->
                    profiles.computeIfAbsent(profile, _ -> new ArrayList<>()).add(summary));
            location.requested.forEach((number, summary) ->
                    requests.computeIfAbsent(number, _ -> new ArrayList<>()).add(summary));
        }
        profiles.forEach((profile, summaries) ->
                fits.add(fit(new FitSize.Partition(profile), summaries, 1)));
        requests.forEach((number, summaries) -> {
            var demand = requested.demands(deviceClass).get(number - 1);
            if (demand.count() instanceof AllocationCount.ExactCount(var count)) {
                var size = new FitSize.Requested(number, demand);
                fits.add(fit(size, summaries, (int) count));
            }
        });
        return fits;
    }

    private void addNumaFits(List<SlotSummary> all, List<Fit> fits) {
        if (hasOnlyPartitions || all.stream().noneMatch(one -> one.whole().hasNumaNodes())) {
            return;
        }
        var most =
                all.stream().mapToLong(one -> one.whole().distinctOnOneNumaNode()).max().orElse(0);
        for (var size : SIZES) {
            if (size == 1 || size <= most) {
                var now = 0L;
                var whole = 0L;
                for (var one : all) {
                    now = FitTotals.sum(now, one.now().numaGroups(size));
                    whole = FitTotals.sum(whole, one.whole().numaGroups(size));
                }
                var isExact =
                        isDisjoint(size) && all.stream().allMatch(one -> one.now().isNumaExact());
                var together = together(all, size, whole, now);
                fits.add(new Fit(new FitSize.OnOneNumaNode(size), now, together, isExact));
            }
        }
    }

    private Fit fit(FitSize size, List<SlotSummary> summaries, int count) {
        var now = 0L;
        var whole = 0L;
        for (var one : summaries) {
            now = FitTotals.sum(now, one.now().groups(count));
            whole = FitTotals.sum(whole, one.whole().groups(count));
        }
        var isExact =
                isDisjoint(count) && summaries.stream().allMatch(one -> one.now().isExact());
        return new Fit(size, now, together(summaries, count, whole, now), isExact);
    }

    /// The smaller of two bounds: what is left in all, and what fits on free nodes.
    private static long together(List<SlotSummary> summaries, int count, long whole, long now) {
        var totals = new FitTotals();
        summaries.forEach(one -> totals.add(one.totals()));
        var left = totals.allocations();
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
