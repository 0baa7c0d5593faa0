package dev.berth.core.utilisation;

import dev.berth.core.inventory.CounterConsumption;
import dev.berth.core.inventory.DeviceLocality;
import dev.berth.core.inventory.DeviceTraits;
import dev.berth.core.inventory.PoolView;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.DeviceCapacity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A device of a pool view, by its row.
record DeviceRow(PoolView view, int row) {

    private static final List<String> PROFILE_IDS = List.of("profile", "partitionProfile");

    String name() {
        return view.deviceName(row);
    }

    DeviceTraits traits() {
        return view.traits(row);
    }

    Map<String, DeviceCapacity> capacities() {
        return view.capacities(row);
    }

    CounterConsumption consumption() {
        return view.consumption(row);
    }

    List<Long> numaNodes() {
        return DeviceLocality.of(view.attributes(row)).numaNodes();
    }

    boolean skipsNodeOperations() {
        return !view.slice(row).skipNodeOperations().isEmpty();
    }

    /// The value of the attribute that the slice names as its partition type, or of the attribute
    /// with which drivers without one name the profile; empty without either.
    String profile() {
        var named = view.slice(row).partitionTypeAttribute().flatMap(this::text);
        if (named.isPresent()) {
            return named.get();
        }
        for (var id : PROFILE_IDS) {
            var text = text(view.id().driver() + "/" + id);
            if (text.isPresent()) {
                return text.get();
            }
        }
        return "";
    }

    private Optional<String> text(String attribute) {
        return view.attribute(row, attribute)
                .filter(AttributeValue.StringValue.class::isInstance)
                .map(value -> ((AttributeValue.StringValue) value).value());
    }

    /// Whether an attribute determines a part of a [PoolShape].
    static boolean isShapeAttribute(String name, Optional<String> partitionType) {
        var id = name.substring(name.indexOf('/') + 1);
        return PROFILE_IDS.contains(id)
                || DeviceLocality.isLocality(id)
                || partitionType
                        .filter(type -> type.equals(name) || type.endsWith("/" + name))
                        .isPresent();
    }
}
