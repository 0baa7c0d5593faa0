package dev.berth.core.utilisation;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.allocate.rule.CapacityRounding;
import dev.berth.core.taint.Taints;
import dev.berth.model.quantity.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Finds the devices of one pool that can be allocated at the same time. The checks are those of
/// the allocator for a request without constraints.
final class PoolSlots {

    /// Devices with more shares than this count as having so many.
    private static final BigDecimal MOST_SHARES = BigDecimal.valueOf(1_000_000_000);

    private static final double[] NO_AMOUNTS = {};

    private final PoolShape shape;
    private final PoolUse.HeldRows held;
    private final RemainingCounters remaining;
    private final CapacityRounding rounding;
    private final Set<AllocatorFeature> features;
    private final boolean canSkipNodeOperations;
    private final PackingCache packings;

    PoolSlots(
            PoolShape shape,
            PoolUse.HeldRows held,
            RemainingCounters remaining,
            Set<AllocatorFeature> features,
            boolean canSkipNodeOperations,
            PackingCache packings) {
        this.shape = shape;
        this.held = held;
        this.remaining = remaining;
        this.rounding =
                new CapacityRounding(features.contains(AllocatorFeature.FRACTIONAL_CAPACITY_RANGE));
        this.features = features;
        this.canSkipNodeOperations = canSkipNodeOperations;
        this.packings = packings;
    }

    /// The available devices among these rows.
    SlotSummary summary(BitSet rows, CandidateFilter filter) {
        var summary = SlotSummary.none();
        var partitions = new TreeMap<Integer, Map<Integer, Map<String, Quantity>>>();
        for (var row = rows.nextSetBit(0); row >= 0; row = rows.nextSetBit(row + 1)) {
            var device = shape.rows().get(row);
            var consumed = consumed(device, filter);
            if (consumed.isPresent() && device.component() < 0) {
                add(row, consumed.get(), summary);
            } else if (consumed.isPresent()) {
                partitions
                        .computeIfAbsent(device.component(), _ -> new TreeMap<>())
                        .put(row, consumed.get());
            }
        }
        partitions.forEach((component, all) -> addComponent(component, all, summary));
        return summary;
    }

    /// Whether a device can be allocated to a request without tolerations when it has no holder.
    boolean isUsable(int row) {
        return consumed(shape.rows().get(row), CandidateFilter.ALL).isPresent();
    }

    /// The capacity that an allocation consumes; empty when the device is not usable.
    private Optional<Map<String, Quantity>> consumed(PoolShape.Row device, CandidateFilter filter) {
        var traits = device.traits();
        if (filter.profile().filter(profile -> !profile.equals(device.profile())).isPresent()
                || (!has(AllocatorFeature.DEVICE_BINDING_AND_STATUS)
                        && !traits.bindingConditions().isEmpty())
                || (device.skipsNodeOperations() && !canSkipNodeOperations)
                || (!has(AllocatorFeature.PARTITIONABLE_DEVICES) && !traits.consumes().isEmpty())
                || (has(AllocatorFeature.DEVICE_TAINTS)
                        && Taints.untolerated(traits.taints(), filter.tolerations()).isPresent())) {
            return Optional.empty();
        }
        if (!has(AllocatorFeature.CONSUMABLE_CAPACITY)) {
            return Optional.of(Map.of());
        }
        return rounding.of(device.capacities(), filter.capacity())
                        instanceof CapacityRounding.Result.Consumes(var amounts)
                ? Optional.of(amounts)
                : Optional.empty();
    }

    private boolean isShareable(PoolShape.Row device) {
        return has(AllocatorFeature.CONSUMABLE_CAPACITY) && device.traits().shareable();
    }

    private boolean has(AllocatorFeature feature) {
        return features.contains(feature);
    }

    private void add(int row, Map<String, Quantity> consumed, SlotSummary summary) {
        var device = shape.rows().get(row);
        var times = times(row, consumed);
        summary.now().add(device.numaNodes(), times);
        if (!isShareable(device)) {
            summary.whole().add(device.numaNodes(), 1);
            summary.totals().add(FitTotals.Kind.WHOLE_DEVICE, new double[] {times}, 1);
            return;
        }
        var most = times(device, consumed, Map.of());
        summary.whole().add(device.numaNodes(), most);
        var needs = new ArrayList<Double>();
        var left = new ArrayList<Double>();
        var taken = held.shared().getOrDefault(row, Map.of());
        var isFree = !held.exclusive().get(row);
        consumed.forEach((name, need) -> {
            needs.add(need.asApproximateDouble());
            left.add(isFree ? left(device, name, taken).asApproximateDouble() : 0);
        });
        summary.totals()
                .add(
                        new FitTotals.Kind(device.capacities(), needs),
                        left.stream().mapToDouble(Double::doubleValue).toArray(),
                        most);
    }

    /// How many times a device can be allocated now.
    private long times(int row, Map<String, Quantity> consumed) {
        var device = shape.rows().get(row);
        var taken = held.shared().getOrDefault(row, Map.of());
        if (held.exclusive().get(row)) {
            return 0;
        }
        return isShareable(device)
                ? times(device, consumed, taken)
                : Math.min(1, times(device, consumed, taken));
    }

    private static long times(
            PoolShape.Row device, Map<String, Quantity> consumed, Map<String, Quantity> taken) {
        var times = Fit.UNLIMITED;
        for (var need : consumed.entrySet()) {
            var left = left(device, need.getKey(), taken);
            if (left.signum() < 0) {
                return 0;
            }
            if (need.getValue().signum() > 0) {
                var fitting =
                        left.amount()
                                .divideToIntegralValue(need.getValue().amount())
                                .min(MOST_SHARES)
                                .longValue();
                times = Math.min(times, fitting);
            }
        }
        return times;
    }

    private static Quantity left(
            PoolShape.Row device, String capacity, Map<String, Quantity> taken) {
        var total = device.capacities().get(capacity);
        return total == null
                ? Quantity.ZERO
                : total.value().minus(taken.getOrDefault(capacity, Quantity.ZERO));
    }

    /// Adds the devices of a component that can be allocated at the same time.
    private void addComponent(
            int number, Map<Integer, Map<String, Quantity>> rows, SlotSummary summary) {
        var content = shape.components().get(number).content();
        var all = new BitSet();
        var free = new BitSet();
        var byMember = new HashMap<Integer, Integer>();
        rows.forEach((row, consumed) -> {
            var member = shape.rows().get(row).member();
            byMember.put(member, row);
            all.set(member);
            free.set(member, !isShared(row) && times(row, consumed) > 0);
            if (isShared(row)) {
                // A further share of a device charges no counters.
                summary.now().add(shape.rows().get(row).numaNodes(), times(row, consumed));
            }
        });
        var left = remaining.of(number);
        var now =
                left.map(rest -> packings.solution(content, free, rest))
                        .orElseGet(() -> new PartitionPacking.Solution(List.of(), true));
        var whole = packings.solution(content, all, content.whole());
        for (var member : now.devices()) {
            addPartition(byMember.getOrDefault(member, 0), rows, summary.now());
        }
        var limit = 0L;
        for (var member : whole.devices()) {
            limit =
                    FitTotals.sum(
                            limit,
                            addPartition(byMember.getOrDefault(member, 0), rows, summary.whole()));
        }
        var isShareable = rows.keySet().stream().anyMatch(this::isShareable);
        if (!now.isExact() || isShareable) {
            summary.now().setInexact();
        }
        if (hasSeveralNumaNodes(rows.keySet())) {
            summary.now().setNumaInexact();
        }
        addTotals(content, all, left, limit, isShareable, summary.totals());
    }

    private boolean isShared(int row) {
        return isShareable(row) && held.shared().containsKey(row);
    }

    private boolean isShareable(int row) {
        return isShareable(shape.rows().get(row));
    }

    private boolean hasSeveralNumaNodes(Set<Integer> rows) {
        return rows.stream().map(row -> shape.rows().get(row).numaNodes()).distinct().count() > 1;
    }

    /// Adds a partition to slots and returns how many times it can be allocated.
    private long addPartition(int row, Map<Integer, Map<String, Quantity>> rows, Slots slots) {
        var device = shape.rows().get(row);
        var most = times(device, rows.getOrDefault(row, Map.of()), Map.of());
        var times = isShareable(device) ? most : Math.min(1, most);
        slots.add(device.numaNodes(), times);
        return times;
    }

    private static void addTotals(
            CounterComponent content,
            BitSet members,
            Optional<CounterComponent.Remaining> left,
            long limit,
            boolean isShareable,
            FitTotals totals) {
        if (isShareable) {
            totals.add(new FitTotals.Kind(List.of(content, members), List.of()), NO_AMOUNTS, limit);
            return;
        }
        var sums =
                left.map(rest -> content.groupSums(rest.counters()))
                        .orElseGet(() -> new long[content.groupTotals().size()]);
        totals.add(
                new FitTotals.Kind(List.of(content, members), smallestNeeds(content, members)),
                Arrays.stream(sums).asDoubleStream().toArray(),
                limit);
    }

    private static List<Double> smallestNeeds(CounterComponent content, BitSet members) {
        var needs = new double[content.groupTotals().size()];
        Arrays.fill(needs, Double.MAX_VALUE);
        members.stream()
                .forEach(member -> {
                    var own = content.groupNeeds(member);
                    for (var group = 0; group < needs.length; group++) {
                        needs[group] = Math.min(needs[group], (double) own[group]);
                    }
                });
        return Arrays.stream(needs).boxed().toList();
    }
}
