package dev.berth.core.utilisation;

import dev.berth.core.allocate.selector.SelectorCache;
import dev.berth.core.allocate.selector.SliceMatch;
import dev.berth.core.inventory.CounterTable;
import dev.berth.core.inventory.SliceTable;
import dev.berth.core.ledger.PoolHoldings;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceSelector;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Computes the [ClassPart]s of one pool. Pools of equal shape with equal held devices are computed
/// once: results are cached without the names of holders. Not thread-safe.
final class PoolUtilisation {

    private static final int MAX_SHAPES = 10_000;
    private static final int MAX_SUMMARIES = 50_000;

    private record ShapeKey(CounterTable counters, List<Object> columns) {}

    /// Everything that the available devices of a pool depend on.
    private record SummaryKey(
            PoolShape shape,
            PoolUse.HeldRows held,
            BitSet rows,
            CandidateFilter filter,
            boolean canSkipNodeOperations) {}

    private final SelectorCache selectors;
    private final PackingCache packings = new PackingCache();
    private final Map<CounterComponent, CounterComponent> components = new HashMap<>();
    private final Map<ShapeKey, PoolShape> shapes = new HashMap<>();
    private final Map<SummaryKey, SlotSummary> summaries = new HashMap<>();

    PoolUtilisation(SelectorCache selectors) {
        this.selectors = selectors;
    }

    /// The parts of a pool, one for each class that matches one of its devices.
    List<ClassPart> parts(
            PoolAccess access,
            PoolHoldings holdings,
            List<DeviceClass> classes,
            RequestedSizes requested,
            NodeAvailability nodes) {
        var pool = new PoolState(access, shape(access), holdings, nodes, packings);
        var parts = new ArrayList<ClassPart>();
        for (var number = 0; number < classes.size(); number++) {
            var deviceClass = classes.get(number);
            var rows = matching(access, deviceClass, List.of());
            if (!rows.isEmpty()) {
                parts.add(part(pool, number, deviceClass, rows, requested));
            }
        }
        return parts;
    }

    private PoolShape shape(PoolAccess access) {
        var view = access.view();
        if (!access.isSingleView()) {
            return PoolShape.of(access.rows(), view.counters(), this::interned);
        }
        var columns = new ArrayList<Object>();
        for (var slice : view.slices()) {
            columns.add(slice.size());
            columns.add(slice.traitsColumn());
            columns.add(slice.capacityColumns());
            columns.add(slice.skipNodeOperations());
            var type = slice.partitionTypeAttribute();
            columns.add(type);
            columns.add(slice.attributeColumns(name -> DeviceRow.isShapeAttribute(name, type)));
        }
        if (shapes.size() >= MAX_SHAPES) {
            shapes.clear();
        }
        return shapes.computeIfAbsent(
                new ShapeKey(view.counters(), columns),
                _ -> PoolShape.of(access.rows(), view.counters(), this::interned));
    }

    private CounterComponent interned(CounterComponent component) {
        if (components.size() >= MAX_SHAPES) {
            components.clear();
        }
        return components.computeIfAbsent(component, one -> one);
    }

    private BitSet matching(
            PoolAccess access, DeviceClass deviceClass, List<DeviceSelector> ofRequest) {
        var chain = selectors.of(deviceClass, ofRequest);
        var rows = new BitSet();
        var matches = new IdentityHashMap<SliceTable, SliceMatch>();
        for (var i = 0; i < access.rows().size(); i++) {
            var device = access.rows().get(i);
            var match = matches.computeIfAbsent(device.view().slice(device.row()), chain::match);
            if (match.matches(device.view().rowInSlice(device.row()))) {
                rows.set(i);
            }
        }
        return rows;
    }

    private ClassPart part(
            PoolState pool,
            int number,
            DeviceClass deviceClass,
            BitSet rows,
            RequestedSizes requested) {
        var counts = new UnitCounts(pool);
        rows.stream().forEach(counts::add);
        var demands = requested.demands(deviceClass.metadata().name());
        var wanted = new ArrayList<BitSet>();
        demands.forEach(
                demand -> wanted.add(matching(pool.access(), deviceClass, demand.selectors())));
        var locations = new ArrayList<ClassPart.Location>();
        byReach(pool, rows)
                .forEach((reach, own) -> {
                    var requests = new TreeMap<Integer, SlotSummary>();
                    for (var i = 0; i < demands.size(); i++) {
                        var both = (BitSet) own.clone();
                        both.and(wanted.get(i));
                        var filter = CandidateFilter.of(demands.get(i));
                        requests.put(i + 1, summary(pool, reach, both, filter));
                    }
                    locations.add(location(pool, reach, own, counts.at(reach), requests));
                });
        return counts.part(number, locations);
    }

    /// Rows by the nodes that can access them. A component whose devices have different nodes
    /// belongs to the nodes of its first device, so that it counts once.
    private static Map<BitSet, BitSet> byReach(PoolState pool, BitSet rows) {
        var byReach = new LinkedHashMap<BitSet, BitSet>();
        var byComponent = new HashMap<Integer, BitSet>();
        rows.stream()
                .forEach(row -> {
                    var reach = pool.access().reach(row);
                    var component = pool.shape().rows().get(row).component();
                    var own = byReach.computeIfAbsent(reach, _ -> new BitSet());
                    if (component < 0
                            || byComponent.computeIfAbsent(component, _ -> reach).equals(reach)) {
                        own.set(row);
                    }
                });
        return byReach;
    }

    private ClassPart.Location location(
            PoolState pool,
            BitSet reach,
            BitSet rows,
            Utilisation total,
            SortedMap<Integer, SlotSummary> requests) {
        var profiles = new TreeMap<String, SlotSummary>();
        var hasOnlyPartitions = true;
        for (var row = rows.nextSetBit(0); row >= 0; row = rows.nextSetBit(row + 1)) {
            var profile = pool.shape().rows().get(row).profile();
            hasOnlyPartitions &= !profile.isEmpty();
            if (!profile.isEmpty() && !profiles.containsKey(profile)) {
                var filter = CandidateFilter.ofProfile(profile);
                profiles.put(profile, summary(pool, reach, rows, filter));
            }
        }
        var all = summary(pool, reach, rows, CandidateFilter.ALL);
        return new ClassPart.Location(reach, total, all, profiles, requests, hasOnlyPartitions);
    }

    private SlotSummary summary(PoolState pool, BitSet reach, BitSet rows, CandidateFilter filter) {
        if (!pool.isSchedulable(reach)) {
            return SlotSummary.none();
        }
        var canSkip = pool.canSkipNodeOperations(reach);
        var view = pool.access().view();
        if (!pool.access().isSingleView() || view.hasDevicesElsewhere()) {
            return pool.slots(canSkip).summary(rows, filter);
        }
        if (summaries.size() >= MAX_SUMMARIES) {
            summaries.clear();
        }
        var key = new SummaryKey(pool.shape(), pool.held(), rows, filter, canSkip);
        var known = summaries.get(key);
        var summary = known == null ? pool.slots(canSkip).summary(rows, filter) : known;
        summaries.put(key, summary);
        return summary;
    }
}
