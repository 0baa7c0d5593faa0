package dev.berth.core.inventory;

import dev.berth.model.api.AttributeValue;
import dev.berth.model.api.CounterSet;
import dev.berth.model.api.Device;
import dev.berth.model.api.DeviceCapacity;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.DeviceTaint;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.QualifiedName;
import dev.berth.model.api.ResourceSlice;
import dev.berth.model.api.SkipNodeOperation;
import dev.berth.model.api.SliceScope;
import dev.berth.model.quantity.Semver;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// One slice as columns. Rows are devices in the order in which the driver listed them.
public final class SliceTable {

    private final String name;
    private final PoolId pool;
    private final long generation;
    private final long poolSliceCount;
    private final SliceScope scope;
    private final List<SkipNodeOperation> skipNodeOperations;
    private final List<CounterSet> counterSets;
    private final int size;
    private final DeviceColumn<String> names;
    private final DeviceColumn<DeviceTraits> traits;
    private final Map<String, DeviceColumn<AttributeValue>> attributes;
    private final Map<String, DeviceColumn<DeviceCapacity>> capacities;
    private final boolean declaresGroups;
    private final boolean hasBindingConditions;
    private final boolean hasShareable;
    private final boolean drawsOnNodes;
    private final boolean hasOddValues;

    private SliceTable(ResourceSlice slice, DeviceInterner interner) {
        var spec = slice.spec();
        var devices = spec.devices();
        name = slice.metadata().name();
        pool = interner.intern(slice.poolId());
        generation = spec.pool().generation();
        poolSliceCount = spec.pool().resourceSliceCount();
        scope = interner.intern(spec.scope());
        skipNodeOperations = interner.intern(spec.skipNodeOperations());
        counterSets = interner.intern(spec.sharedCounters());
        size = devices.size();
        names = column(devices, Device::name, interner);
        traits = column(devices, DeviceTraits::of, interner);
        attributes = columns(devices, Device::attributes, interner);
        capacities = columns(devices, Device::capacity, interner);
        declaresGroups = anyTraits(DeviceTraits::declaresGroups);
        hasBindingConditions = anyTraits(t -> !t.bindingConditions().isEmpty());
        hasShareable = anyTraits(DeviceTraits::shareable);
        drawsOnNodes = anyTraits(t -> !t.nodeAllocatable().isEmpty());
        hasOddValues =
                devices.stream()
                        .flatMap(device -> device.attributes().values().stream())
                        .anyMatch(SliceTable::isOdd);
    }

    private SliceTable(SliceTable base, DeviceColumn<DeviceTraits> traits) {
        this.name = base.name;
        this.pool = base.pool;
        this.generation = base.generation;
        this.poolSliceCount = base.poolSliceCount;
        this.scope = base.scope;
        this.skipNodeOperations = base.skipNodeOperations;
        this.counterSets = base.counterSets;
        this.size = base.size;
        this.names = base.names;
        this.traits = traits;
        this.attributes = base.attributes;
        this.capacities = base.capacities;
        this.declaresGroups = base.declaresGroups;
        this.hasBindingConditions = base.hasBindingConditions;
        this.hasShareable = base.hasShareable;
        this.drawsOnNodes = base.drawsOnNodes;
        this.hasOddValues = base.hasOddValues;
    }

    private boolean anyTraits(Predicate<DeviceTraits> test) {
        for (var row = 0; row < size; row++) {
            if (test.test(traits(row))) {
                return true;
            }
        }
        return false;
    }

    /// The same devices with more taints, and this table where none has more. All but the traits is
    /// shared.
    SliceTable tainted(Function<DeviceId, List<DeviceTaint>> more, DeviceInterner interner) {
        var changed = false;
        var values = new @Nullable Object[size];
        for (var row = 0; row < size; row++) {
            var own = traits(row);
            var added = more.apply(new DeviceId(pool.driver(), pool.pool(), deviceName(row)));
            values[row] = added.isEmpty() ? own : interner.intern(own.tainted(added));
            changed |= !added.isEmpty();
        }
        return changed ? new SliceTable(this, interner.intern(new DeviceColumn<>(values))) : this;
    }

    public static SliceTable of(ResourceSlice slice, DeviceInterner interner) {
        return new SliceTable(slice, interner);
    }

    private static boolean isOdd(AttributeValue value) {
        return switch (value) {
            case AttributeValue.Unrecognised _ -> true;
            case AttributeValue.VersionValue(var text) -> Semver.tryParse(text).isEmpty();
            case AttributeValue.VersionList(var texts) ->
                    texts.stream().anyMatch(text -> Semver.tryParse(text).isEmpty());
            case AttributeValue.IntValue _,
                    AttributeValue.BoolValue _,
                    AttributeValue.StringValue _,
                    AttributeValue.IntList _,
                    AttributeValue.BoolList _,
                    AttributeValue.StringList _ ->
                    false;
        };
    }

    private static <T> DeviceColumn<T> column(
            List<Device> devices, Function<Device, @Nullable T> value, DeviceInterner interner) {
        var values = new @Nullable Object[devices.size()];
        for (var row = 0; row < values.length; row++) {
            var one = value.apply(devices.get(row));
            values[row] = one == null ? null : interner.intern(one);
        }
        return interner.intern(new DeviceColumn<>(values));
    }

    private static <T> Map<String, DeviceColumn<T>> columns(
            List<Device> devices,
            Function<Device, Map<String, T>> entries,
            DeviceInterner interner) {
        var columns = new LinkedHashMap<String, DeviceColumn<T>>();
        for (var device : devices) {
            for (var key : entries.apply(device).keySet()) {
                if (!columns.containsKey(key)) {
                    Function<Device, @Nullable T> cell = d -> entries.apply(d).get(key);
                    columns.put(interner.intern(key), column(devices, cell, interner));
                }
            }
        }
        return interner.intern(columns);
    }

    public String name() {
        return name;
    }

    public PoolId pool() {
        return pool;
    }

    public long generation() {
        return generation;
    }

    long poolSliceCount() {
        return poolSliceCount;
    }

    /// True when some device can be shared.
    public boolean hasShareable() {
        return hasShareable;
    }

    boolean drawsOnNodes() {
        return drawsOnNodes;
    }

    public SliceScope scope() {
        return scope;
    }

    public List<SkipNodeOperation> skipNodeOperations() {
        return skipNodeOperations;
    }

    List<CounterSet> counterSets() {
        return counterSets;
    }

    boolean declaresGroups() {
        return declaresGroups;
    }

    boolean hasBindingConditions() {
        return hasBindingConditions;
    }

    /// True when a device has an attribute that no expression can be evaluated beside.
    public boolean hasOddValues() {
        return hasOddValues;
    }

    /// The columns of these names, in order, for comparison with those of other slices.
    public List<Object> columns(Set<QualifiedName> attributeNames, Set<QualifiedName> others) {
        var found = new ArrayList<Object>();
        attributeNames.forEach(wanted -> found.add(spellings(attributes, wanted)));
        others.forEach(wanted -> found.add(spellings(capacities, wanted)));
        return found;
    }

    /// The cells of these names in one row, in order, for comparison with those of other devices.
    public List<Object> cells(
            Set<QualifiedName> attributeNames, Set<QualifiedName> others, int row) {
        var found = new ArrayList<Object>();
        attributeNames.forEach(wanted -> addCells(found, attributes, wanted, row));
        others.forEach(wanted -> addCells(found, capacities, wanted, row));
        return found;
    }

    /// The columns that a full name may mean: spelled out, or bare in the driver's own domain.
    private <T> List<DeviceColumn<T>> spellings(
            Map<String, DeviceColumn<T>> columns, QualifiedName wanted) {
        var found = new ArrayList<DeviceColumn<T>>();
        var exact = columns.get(wanted.toString());
        found.add(exact == null ? absent() : exact);
        var bare = wanted.domain().equals(pool.driver()) ? columns.get(wanted.id()) : null;
        found.add(bare == null ? absent() : bare);
        return found;
    }

    private <T> void addCells(
            List<Object> cells,
            Map<String, DeviceColumn<T>> columns,
            QualifiedName wanted,
            int row) {
        for (var column : spellings(columns, wanted)) {
            cells.add(Optional.ofNullable(column.at(row)));
        }
    }

    private <T> DeviceColumn<T> absent() {
        return new DeviceColumn<>(new @Nullable Object[size]);
    }

    DeviceColumn<String> names() {
        return names;
    }

    DeviceColumn<DeviceTraits> traits() {
        return traits;
    }

    /// All values of one attribute as one value, for comparison with those of other slices.
    Object attributeColumn(String nameAsWritten) {
        return Optional.ofNullable(attributes.get(nameAsWritten));
    }

    /// All capacities as one value, for comparison with those of other slices.
    public Object capacityColumns() {
        return capacities;
    }

    /// All traits as one value, for comparison with those of other slices.
    public Object traitsColumn() {
        return traits;
    }

    /// How many devices the slice lists.
    public int size() {
        return size;
    }

    public String deviceName(int row) {
        return Objects.requireNonNull(names.at(row));
    }

    public DeviceTraits traits(int row) {
        return Objects.requireNonNull(traits.at(row));
    }

    /// The attributes of one device, by their names as written.
    public Map<String, AttributeValue> attributes(int row) {
        return cells(attributes, row);
    }

    /// The capacities of one device, by their names as written.
    public Map<String, DeviceCapacity> capacities(int row) {
        return cells(capacities, row);
    }

    public Optional<AttributeValue> attribute(int row, String nameAsWritten) {
        var column = attributes.get(nameAsWritten);
        return column == null ? Optional.empty() : Optional.ofNullable(column.at(row));
    }

    public Optional<DeviceCapacity> capacity(int row, String nameAsWritten) {
        var column = capacities.get(nameAsWritten);
        return column == null ? Optional.empty() : Optional.ofNullable(column.at(row));
    }

    private static <T> Map<String, T> cells(Map<String, DeviceColumn<T>> columns, int row) {
        var cells = new LinkedHashMap<String, T>();
        columns.forEach((key, column) -> {
            var cell = column.at(row);
            if (cell != null) {
                cells.put(key, cell);
            }
        });
        return cells;
    }
}
