package dev.berth.core.inventory;

import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.CounterSet;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceCapacity;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.SkipNodeOperation;
import dev.berth.model.api.slice.SliceScope;
import dev.berth.model.api.taint.DeviceTaint;
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

/// A ResourceSlice in columnar form. Rows are devices in published order.
public final class SliceTable {

    private final String name;
    private final PoolId pool;
    private final long generation;
    private final long poolSliceCount;
    private final SliceScope scope;
    private final List<SkipNodeOperation> skipNodeOperations;
    private final List<CounterSet> counterSets;
    private final Optional<String> partitionTypeAttribute;
    private final int size;
    private final DeviceColumn<String> names;
    private final DeviceColumn<DeviceTraits> traits;
    private final Map<String, DeviceColumn<AttributeValue>> attributes;
    private final Map<String, DeviceColumn<DeviceCapacity>> capacities;
    private final boolean declaresGroups;
    private final boolean hasBindingConditions;
    private final boolean hasShareable;
    private final boolean usesNodeResources;
    private final boolean hasInvalidValues;

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
        partitionTypeAttribute = spec.partitionTypeAttribute();
        size = devices.size();
        names = column(devices, Device::name, interner);
        traits = column(devices, DeviceTraits::of, interner);
        attributes = columns(devices, Device::attributes, interner);
        capacities = columns(devices, Device::capacity, interner);
        declaresGroups = anyTraits(DeviceTraits::declaresGroups);
        hasBindingConditions = anyTraits(t -> !t.bindingConditions().isEmpty());
        hasShareable = anyTraits(DeviceTraits::shareable);
        usesNodeResources = anyTraits(t -> !t.nodeAllocatable().isEmpty());
        hasInvalidValues =
                devices.stream()
                        .flatMap(device -> device.attributes().values().stream())
                        .anyMatch(SliceTable::isInvalid);
    }

    private SliceTable(SliceTable base, DeviceColumn<DeviceTraits> traits) {
        this.name = base.name;
        this.pool = base.pool;
        this.generation = base.generation;
        this.poolSliceCount = base.poolSliceCount;
        this.scope = base.scope;
        this.skipNodeOperations = base.skipNodeOperations;
        this.counterSets = base.counterSets;
        this.partitionTypeAttribute = base.partitionTypeAttribute;
        this.size = base.size;
        this.names = base.names;
        this.traits = traits;
        this.attributes = base.attributes;
        this.capacities = base.capacities;
        this.declaresGroups = base.declaresGroups;
        this.hasBindingConditions = base.hasBindingConditions;
        this.hasShareable = base.hasShareable;
        this.usesNodeResources = base.usesNodeResources;
        this.hasInvalidValues = base.hasInvalidValues;
    }

    private boolean anyTraits(Predicate<DeviceTraits> test) {
        for (var row = 0; row < size; row++) {
            if (test.test(traits(row))) {
                return true;
            }
        }
        return false;
    }

    /// This table with additional taints; the same instance if there are none. Shares all columns
    /// but the traits.
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

    private static boolean isInvalid(AttributeValue value) {
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

    /// Whether some device allows multiple allocations.
    public boolean hasShareable() {
        return hasShareable;
    }

    boolean usesNodeResources() {
        return usesNodeResources;
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

    /// Whether a device has an unrecognised or invalid attribute value, with which no selector can
    /// be evaluated.
    public boolean hasInvalidValues() {
        return hasInvalidValues;
    }

    /// The columns with these names, in order, for comparison with other slices.
    public List<Object> columns(Set<QualifiedName> attributeNames, Set<QualifiedName> others) {
        var found = new ArrayList<Object>();
        attributeNames.forEach(qualified -> found.add(spellings(attributes, qualified)));
        others.forEach(qualified -> found.add(spellings(capacities, qualified)));
        return found;
    }

    /// The values with these names in one row, in order, for comparison with other devices.
    public List<Object> cells(
            Set<QualifiedName> attributeNames, Set<QualifiedName> others, int row) {
        var found = new ArrayList<Object>();
        attributeNames.forEach(qualified -> addCells(found, attributes, qualified, row));
        others.forEach(qualified -> addCells(found, capacities, qualified, row));
        return found;
    }

    /// The columns that match a qualified name: the full name, and in the driver's own domain the
    /// name without domain.
    private <T> List<DeviceColumn<T>> spellings(
            Map<String, DeviceColumn<T>> columns, QualifiedName qualified) {
        var found = new ArrayList<DeviceColumn<T>>();
        var exact = columns.get(qualified.toString());
        found.add(exact == null ? absent() : exact);
        var bare = qualified.domain().equals(pool.driver()) ? columns.get(qualified.id()) : null;
        found.add(bare == null ? absent() : bare);
        return found;
    }

    private <T> void addCells(
            List<Object> cells,
            Map<String, DeviceColumn<T>> columns,
            QualifiedName qualified,
            int row) {
        for (var column : spellings(columns, qualified)) {
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

    /// The column of an attribute as an opaque value, for comparison with other slices.
    Object attributeColumn(String publishedName) {
        return Optional.ofNullable(attributes.get(publishedName));
    }

    /// The columns of the attributes whose published names meet a condition, by name, as an opaque
    /// value for comparison with other slices.
    public Object attributeColumns(Predicate<String> condition) {
        var found = new LinkedHashMap<String, Object>();
        attributes.forEach((publishedName, column) -> {
            if (condition.test(publishedName)) {
                found.put(publishedName, column);
            }
        });
        return found;
    }

    /// The attribute that classifies the partitions of the slice.
    public Optional<String> partitionTypeAttribute() {
        return partitionTypeAttribute;
    }

    /// All capacity columns as an opaque value, for comparison with other slices.
    public Object capacityColumns() {
        return capacities;
    }

    /// The traits column as an opaque value, for comparison with other slices.
    public Object traitsColumn() {
        return traits;
    }

    /// The number of devices in the slice.
    public int size() {
        return size;
    }

    public String deviceName(int row) {
        return Objects.requireNonNull(names.at(row));
    }

    public DeviceTraits traits(int row) {
        return Objects.requireNonNull(traits.at(row));
    }

    /// The attributes of one device, by their names as published.
    public Map<String, AttributeValue> attributes(int row) {
        return cells(attributes, row);
    }

    /// The capacities of one device, by their names as published.
    public Map<String, DeviceCapacity> capacities(int row) {
        return cells(capacities, row);
    }

    public Optional<AttributeValue> attribute(int row, String publishedName) {
        var column = attributes.get(publishedName);
        return column == null ? Optional.empty() : Optional.ofNullable(column.at(row));
    }

    public Optional<DeviceCapacity> capacity(int row, String publishedName) {
        var column = capacities.get(publishedName);
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
