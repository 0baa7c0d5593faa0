package dev.berth.core.inventory;

import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.CounterSet;
import dev.berth.model.api.slice.DeviceCapacity;
import dev.berth.model.api.slice.DeviceCounterConsumption;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.SliceScope;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The slices of a pool that are accessible from one node. Device rows are numbered across the
/// slices, which are sorted by name: the order in which Kubernetes tries devices.
public final class PoolView {

    /// Whether the pool can be used.
    public sealed interface Status {

        /// All slices of the newest generation exist and are consistent.
        record Complete() implements Status {}

        /// Slices are missing: the driver is still publishing.
        record Incomplete(long present, long expected) implements Status {}

        /// A node selector is invalid, so the nodes of the devices are unknown.
        record Malformed(String reason) implements Status {}

        /// The slices are inconsistent; no device of the pool is allocated.
        record Invalid(String reason) implements Status {}
    }

    private final PoolId id;
    private final long generation;
    private final Status status;
    private final List<SliceTable> slices;
    private final List<SliceTable> elsewhere;
    private final int[] starts;
    private final CounterTable counters;
    private final Map<String, Integer> rows;
    private final boolean usesNodeResources;

    private PoolView(
            PoolId id,
            long generation,
            Status status,
            List<SliceTable> slices,
            List<SliceTable> elsewhere,
            CounterTable counters,
            Map<String, Integer> rows) {
        this.id = id;
        this.generation = generation;
        this.status = status;
        this.slices = slices;
        this.elsewhere = elsewhere;
        this.counters = counters;
        this.rows = rows;
        this.usesNodeResources = slices.stream().anyMatch(SliceTable::usesNodeResources);
        this.starts = new int[slices.size() + 1];
        for (var i = 0; i < slices.size(); i++) {
            starts[i + 1] = starts[i] + slices.get(i).size();
        }
    }

    static PoolView incomplete(PoolId id, long generation, long present, long expected) {
        return without(id, generation, new Status.Incomplete(present, expected));
    }

    static PoolView malformed(PoolId id, long generation, String reason) {
        return without(id, generation, new Status.Malformed(reason));
    }

    /// A pool whose devices are unknown.
    private static PoolView without(PoolId id, long generation, Status status) {
        return new PoolView(
                id, generation, status, List.of(), List.of(), CounterTable.NONE, Map.of());
    }

    /// @param accessible device slices that are accessible from the node, sorted by name
    /// @param elsewhere device slices of the same generation for other nodes
    /// @param counterSlices slices that define counters
    /// @param countersMatter false when devices that consume counters are disabled
    static PoolView of(
            PoolId id,
            long generation,
            List<SliceTable> accessible,
            List<SliceTable> elsewhere,
            List<SliceTable> counterSlices,
            boolean countersMatter,
            DeviceInterner interner) {
        var rows =
                interner.derive(
                        new RowKey(
                                accessible.stream().map(SliceTable::names).toList(),
                                accessible.stream().map(SliceTable::size).toList()),
                        PoolView::rows);
        var all = new ArrayList<>(accessible);
        all.addAll(elsewhere);
        var numbering =
                interner.derive(
                        new CounterKey(
                                counterSlices.stream()
                                        .flatMap(s -> s.counterSets().stream())
                                        .toList(),
                                countersMatter
                                        ? all.stream().map(SliceTable::traits).toList()
                                        : List.of(),
                                countersMatter
                                        ? all.stream().map(SliceTable::size).toList()
                                        : List.of()),
                        PoolView::numbered);
        var duplicate = rows.duplicate.map(name -> "duplicate device name " + name);
        return switch (numbering) {
            case CounterTable.Numbering.Numbered(var table) when duplicate.isEmpty() ->
                    new PoolView(
                            id,
                            generation,
                            new Status.Complete(),
                            accessible,
                            elsewhere,
                            table,
                            rows.byName);
            case CounterTable.Numbering.Numbered _ ->
                    invalid(id, generation, duplicate.orElseThrow(), accessible);
            case CounterTable.Numbering.Inconsistent(var reason) ->
                    invalid(id, generation, duplicate.orElse(reason), accessible);
        };
    }

    private static PoolView invalid(
            PoolId id, long generation, String reason, List<SliceTable> accessible) {
        return new PoolView(
                id,
                generation,
                new Status.Invalid(reason),
                accessible,
                List.of(),
                CounterTable.NONE,
                Map.of());
    }

    private record RowKey(List<DeviceColumn<String>> names, List<Integer> sizes) {}

    private record Rows(Map<String, Integer> byName, Optional<String> duplicate) {}

    private static Rows rows(RowKey key) {
        var byName = new HashMap<String, Integer>();
        Optional<String> duplicate = Optional.empty();
        for (var slice = 0; slice < key.sizes.size(); slice++) {
            for (var row = 0; row < key.sizes.get(slice); row++) {
                var name = String.valueOf(key.names.get(slice).at(row));
                if (byName.putIfAbsent(name, byName.size()) != null && duplicate.isEmpty()) {
                    duplicate = Optional.of(name);
                }
            }
        }
        return new Rows(byName, duplicate);
    }

    private record CounterKey(
            List<CounterSet> sets, List<DeviceColumn<DeviceTraits>> traits, List<Integer> sizes) {}

    private static CounterTable.Numbering numbered(CounterKey key) {
        var consumers = new LinkedHashSet<List<DeviceCounterConsumption>>();
        for (var slice = 0; slice < key.sizes.size(); slice++) {
            for (var row = 0; row < key.sizes.get(slice); row++) {
                var traits = key.traits.get(slice).at(row);
                if (traits != null) {
                    consumers.add(traits.consumes());
                }
            }
        }
        return CounterTable.number(key.sets, consumers);
    }

    /// True when devices of the view consume allocatable resources of their node.
    public boolean usesNodeResources() {
        return usesNodeResources;
    }

    public PoolId id() {
        return id;
    }

    public long generation() {
        return generation;
    }

    public Status status() {
        return status;
    }

    public boolean isUsable() {
        return status instanceof Status.Complete;
    }

    public boolean hasBindingConditions() {
        for (var slice : slices) {
            if (slice.hasBindingConditions()) {
                return true;
            }
        }
        return false;
    }

    /// The number of device rows.
    public int size() {
        return starts[slices.size()];
    }

    public CounterTable counters() {
        return counters;
    }

    /// The device slices accessible from the node, in row order.
    public List<SliceTable> slices() {
        return slices;
    }

    public SliceTable slice(int row) {
        return slices.get(sliceIndex(row));
    }

    private int sliceIndex(int row) {
        var index = 0;
        while (starts[index + 1] <= row) {
            index++;
        }
        return index;
    }

    public int rowInSlice(int row) {
        return row - starts[sliceIndex(row)];
    }

    public DeviceId device(int row) {
        return new DeviceId(id.driver(), id.pool(), deviceName(row));
    }

    public String deviceName(int row) {
        return slice(row).deviceName(rowInSlice(row));
    }

    public DeviceTraits traits(int row) {
        return slice(row).traits(rowInSlice(row));
    }

    public Map<String, AttributeValue> attributes(int row) {
        return slice(row).attributes(rowInSlice(row));
    }

    public Map<String, DeviceCapacity> capacities(int row) {
        return slice(row).capacities(rowInSlice(row));
    }

    /// The attribute with a fully qualified name. Attributes in the driver's own domain may be
    /// published without the domain.
    public Optional<AttributeValue> attribute(int row, String fullName) {
        var slice = slice(row);
        var inSlice = rowInSlice(row);
        var exact = slice.attribute(inSlice, fullName);
        var slash = fullName.indexOf('/');
        if (exact.isPresent() || slash < 0 || !fullName.substring(0, slash).equals(id.driver())) {
            return exact;
        }
        return slice.attribute(inSlice, fullName.substring(slash + 1));
    }

    /// The columns that [#attribute] reads, slice by slice, for comparison with those of other
    /// pools of the driver.
    public List<Object> attributeColumns(String fullName) {
        var slash = fullName.indexOf('/');
        var columns = new ArrayList<Object>();
        for (var slice : slices) {
            columns.add(slice.attributeColumn(fullName));
            columns.add(slice.attributeColumn(fullName.substring(slash + 1)));
        }
        return columns;
    }

    /// Whether the pool has devices of the same generation that are not accessible from the node.
    public boolean hasDevicesElsewhere() {
        return !elsewhere.isEmpty();
    }

    public SliceScope scope(int row) {
        return slice(row).scope();
    }

    public CounterConsumption consumption(int row) {
        return counters.consumptionOf(traits(row));
    }

    /// The row of an accessible device by name.
    public Optional<Integer> row(String deviceName) {
        return Optional.ofNullable(rows.get(deviceName));
    }

    /// The counter consumption of all devices with a name: an accessible one, and others in slices
    /// for other nodes. Kubernetes charges each of them when the name is allocated. Empty when the
    /// pool no longer has such a device.
    public List<CounterConsumption> consumptionsOf(String deviceName) {
        var consumptions = new ArrayList<CounterConsumption>(1);
        var row = rows.get(deviceName);
        if (row != null) {
            consumptions.add(consumption(row));
        }
        for (var slice : elsewhere) {
            for (var i = 0; i < slice.size(); i++) {
                if (slice.deviceName(i).equals(deviceName)) {
                    consumptions.add(counters.consumptionOf(slice.traits(i)));
                }
            }
        }
        return consumptions;
    }

    /// The remaining amount of each counter after the allocated devices of all nodes; negative when
    /// they exceed the total.
    public BigInteger[] countersLeft(Collection<String> held) {
        var left = new BigInteger[counters.size()];
        Arrays.setAll(left, counters::total);
        for (var device : held) {
            for (var consumption : consumptionsOf(device)) {
                for (var i = 0; i < consumption.counters().length; i++) {
                    var counter = consumption.counters()[i];
                    left[counter] = left[counter].subtract(consumption.exactAmounts()[i]);
                }
            }
        }
        return left;
    }
}
