package dev.berth.dashboard.fleet;

import dev.berth.core.allocate.selector.SelectorCache;
import dev.berth.core.inventory.DeviceLocality;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.utilisation.PartitionedDevice;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Derives the shape of a row of the fleet from its pools.
final class ShapeBuilder {

    static final String NODE = "{node}";

    private static final Pattern INDEX = Pattern.compile("([0-9]{1,9})(?![0-9])");
    private static final List<String> PRODUCTS =
            List.of("productName", "product", "model", "modelName");
    private static final String MEMORY = "memory";

    private final SelectorCache selectors;
    private final List<DeviceClass> classes;
    private final String node;
    private final Map<DeviceKind, Integer> counts = new EnumMap<>(DeviceKind.class);

    /// @param node name of the node; empty for pools of several nodes
    ShapeBuilder(SelectorCache selectors, Collection<DeviceClass> classes, String node) {
        this.selectors = selectors;
        this.classes = List.copyOf(classes);
        this.node = node;
    }

    NodeShape of(List<DeviceSection> sections) {
        var devices = new ArrayList<DeviceShape>();
        var units = new ArrayList<UnitShape>();
        for (var section : sections) {
            add(section, devices, units);
        }
        return new NodeShape(devices, units);
    }

    private void add(DeviceSection section, List<DeviceShape> devices, List<UnitShape> units) {
        var pool = section.pool();
        var first = devices.size();
        var partitioned =
                section.isWhole() ? section.layout().devices() : List.<PartitionedDevice>of();
        var places = new HashMap<Integer, DeviceShape.PartitionPlace>();
        for (var i = 0; i < partitioned.size(); i++) {
            for (var part : partitioned.get(i).parts()) {
                places.put(
                        part.row(),
                        new DeviceShape.PartitionPlace(
                                units.size() + i, part.profile(), part.cells(), part.share()));
            }
        }
        for (var row : section.rows()) {
            devices.add(device(pool, row, Optional.ofNullable(places.get(row))));
        }
        for (var one : partitioned) {
            units.add(unit(pool, one, first));
        }
    }

    private DeviceShape device(PoolView pool, int row, Optional<DeviceShape.PartitionPlace> place) {
        var attributes = pool.attributes(row);
        var ofClasses = classes(pool, row);
        var kind =
                place.isPresent() ? DeviceKind.PARTITION : kind(pool, row, attributes, ofClasses);
        var number = counts.merge(kind, 1, Integer::sum) - 1;
        var locality = DeviceLocality.of(attributes);
        return new DeviceShape(
                relative(pool.deviceName(row)),
                pool.id().driver(),
                relative(pool.id().pool()),
                kind,
                index(pool.deviceName(row), number),
                locality.numaNodes(),
                locality.pcieRoots(),
                ofClasses,
                text(attributes, PRODUCTS),
                Optional.ofNullable(pool.capacities(row).get(MEMORY))
                        .map(capacity -> capacity.value().toString())
                        .orElse(""),
                pool.traits(row).shareable() ? capacities(pool, row) : List.of(),
                place);
    }

    private UnitShape unit(PoolView pool, PartitionedDevice device, int first) {
        var row = device.whole() >= 0 ? device.whole() : device.parts().getFirst().row();
        var attributes = pool.attributes(row);
        var locality = DeviceLocality.of(attributes);
        var kind = kind(pool, row, attributes, classes(pool, row));
        return new UnitShape(
                device.counterSet(),
                pool.id().driver(),
                relative(pool.id().pool()),
                kind,
                index(device.counterSet(), device.set()),
                locality.numaNodes(),
                locality.pcieRoots(),
                device.cells().size(),
                device.cellName(),
                device.whole() < 0 ? -1 : first + device.whole(),
                device.parts().stream().map(part -> first + part.row()).toList());
    }

    private String relative(String name) {
        return node.isEmpty() ? name : name.replace(node, NODE);
    }

    /// The first number of the name after its letters, or the position.
    private long index(String name, int position) {
        var digits = INDEX.matcher(relative(name).replace(NODE, ""));
        return digits.find() ? Long.parseLong(digits.group(1)) : position;
    }

    private List<String> classes(PoolView pool, int row) {
        return classes.stream()
                .filter(one ->
                        selectors
                                .of(one, List.of())
                                .match(pool.slice(row))
                                .matches(pool.rowInSlice(row)))
                .map(one -> one.metadata().name())
                .sorted()
                .toList();
    }

    private static DeviceKind kind(
            PoolView pool,
            int row,
            Map<String, AttributeValue> attributes,
            List<String> ofClasses) {
        var texts = new ArrayList<String>();
        texts.add(text(attributes, List.of("type")));
        texts.add(pool.id().driver());
        texts.addAll(ofClasses);
        texts.add(pool.deviceName(row));
        return DeviceKind.of(texts);
    }

    private static String text(Map<String, AttributeValue> attributes, List<String> ids) {
        for (var id : ids) {
            for (var entry : attributes.entrySet()) {
                var name = entry.getKey();
                if (name.substring(name.indexOf('/') + 1).equals(id)
                        && entry.getValue() instanceof AttributeValue.StringValue(var value)) {
                    return value;
                }
            }
        }
        return "";
    }

    private static List<DeviceShape.CapacityShape> capacities(PoolView pool, int row) {
        var all = new ArrayList<DeviceShape.CapacityShape>();
        new TreeMap<>(pool.capacities(row))
                .forEach((name, capacity) -> all.add(capacity(name, capacity.value())));
        return all;
    }

    private static DeviceShape.CapacityShape capacity(String name, Quantity total) {
        var shown = total.toString();
        var digits = shown.length();
        while (digits > 0 && !Character.isDigit(shown.charAt(digits - 1))) {
            digits--;
        }
        var suffix = shown.substring(digits);
        var scale =
                suffix.isEmpty()
                        ? 1
                        : Quantity.tryParse("1" + suffix)
                                .map(Quantity::asApproximateDouble)
                                .orElse(1.0);
        return new DeviceShape.CapacityShape(name, total.asApproximateDouble(), scale, suffix);
    }
}
