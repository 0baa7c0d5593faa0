package dev.berth.core.inventory;

import dev.berth.model.api.AttributeValue;
import dev.berth.model.api.CounterSet;
import dev.berth.model.api.DeviceCapacity;
import dev.berth.model.api.DeviceCounterConsumption;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.SliceScope;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A pool as one node sees it. Device rows are numbered through its slices, which are in the order
/// of their names: this is the order in which Kubernetes tries devices.
public final class PoolView {

    /// Whether the pool can be used.
    public sealed interface Status {

        /// All slices of its newest generation are there and agree with each other.
        record Complete() implements Status {}

        /// Slices are missing: the driver is still publishing.
        record Incomplete(long present, long expected) implements Status {}

        /// A node selector in it cannot be understood, so nobody knows whose devices they are.
        record Malformed(String reason) implements Status {}

        /// The slices contradict each other; nothing is allocated from the pool.
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

    /// A pool of which no devices can be told.
    private static PoolView without(PoolId id, long generation, Status status) {
        return new PoolView(
                id, generation, status, List.of(), List.of(), CounterTable.NONE, Map.of());
    }

    /// @param reached slices with devices that the node may reach, by name
    /// @param elsewhere slices with devices of the same generation for other nodes
    /// @param counterSlices slices that define counters
    /// @param countersMatter false when devices that draw on counters cannot be used anyway
    static PoolView of(
            PoolId id,
            long generation,
            List<SliceTable> reached,
            List<SliceTable> elsewhere,
            List<SliceTable> counterSlices,
            boolean countersMatter,
            DeviceInterner interner) {
        var rows =
                interner.derive(
                        new RowKey(
                                reached.stream().map(SliceTable::names).toList(),
                                reached.stream().map(SliceTable::size).toList()),
                        PoolView::rows);
        var all = new ArrayList<>(reached);
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
                            reached,
                            elsewhere,
                            table,
                            rows.byName);
            case CounterTable.Numbering.Numbered _ ->
                    invalid(id, generation, duplicate.orElseThrow(), reached);
            case CounterTable.Numbering.Inconsistent(var reason) ->
                    invalid(id, generation, duplicate.orElse(reason), reached);
        };
    }

    private static PoolView invalid(
            PoolId id, long generation, String reason, List<SliceTable> reached) {
        return new PoolView(
                id,
                generation,
                new Status.Invalid(reason),
                reached,
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

    /// How many device rows there are.
    public int size() {
        return starts[slices.size()];
    }

    public CounterTable counters() {
        return counters;
    }

    /// The slices whose devices the node may reach, in the order of the rows.
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

    /// The attribute of a full name: exactly that name or, in the driver's own domain, the bare
    /// one.
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

    /// True when there are devices of the pool, of the same generation, that the node cannot reach.
    public boolean hasDevicesElsewhere() {
        return !elsewhere.isEmpty();
    }

    public SliceScope scope(int row) {
        return slice(row).scope();
    }

    public CounterConsumption draw(int row) {
        return counters.drawOf(traits(row));
    }

    /// The row of a device that the node may reach; empty when there is none of that name.
    public Optional<Integer> row(String deviceName) {
        return Optional.ofNullable(rows.get(deviceName));
    }

    /// What the devices of a name take from the counters: one that the node may reach, and others
    /// in slices for other nodes. Kubernetes charges each of them when the name is held. Empty when
    /// the pool has no such device any more.
    public List<CounterConsumption> drawsOf(String deviceName) {
        var draws = new ArrayList<CounterConsumption>(1);
        var row = rows.get(deviceName);
        if (row != null) {
            draws.add(draw(row));
        }
        for (var slice : elsewhere) {
            for (var i = 0; i < slice.size(); i++) {
                if (slice.deviceName(i).equals(deviceName)) {
                    draws.add(counters.drawOf(slice.traits(i)));
                }
            }
        }
        return draws;
    }

    /// What devices that are held leave of each counter, wherever they are; below zero when they
    /// take more than there is.
    public BigInteger[] countersLeft(Collection<String> held) {
        var left = new BigInteger[counters.size()];
        Arrays.setAll(left, counters::total);
        for (var device : held) {
            for (var draw : drawsOf(device)) {
                for (var i = 0; i < draw.counters().length; i++) {
                    var counter = draw.counters()[i];
                    left[counter] = left[counter].subtract(draw.exact()[i]);
                }
            }
        }
        return left;
    }
}
