package dev.berth.testkit.random;

import dev.berth.model.api.AttributeValue;
import dev.berth.model.api.CapacityRequestPolicy;
import dev.berth.model.api.Device;
import dev.berth.model.api.DeviceCapacity;
import dev.berth.model.api.DeviceCounterConsumption;
import dev.berth.model.api.DeviceScope;
import dev.berth.model.api.DeviceTaint;
import dev.berth.model.api.TaintEffect;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Devices with attributes of all types, capacities with all policies, taints and conditions.
final class RandomDevices {

    private final SeededRandom dice;
    private final String driver;

    RandomDevices(SeededRandom dice, String driver) {
        this.dice = dice;
        this.driver = driver;
    }

    Device device(String name, DeviceScope scope, List<DeviceCounterConsumption> counters) {
        var isShareable = dice.chance(35);
        return new Device(
                name,
                attributes(),
                capacity(isShareable),
                counters,
                scope,
                dice.chance(12) ? taints() : List.of(),
                dice.maybe(8, true),
                dice.chance(6) ? List.of("example.com/attached") : List.of(),
                dice.chance(4) ? List.of("example.com/broken") : List.of(),
                isShareable ? Optional.of(true) : dice.maybe(20, false),
                Map.of());
    }

    private Map<String, AttributeValue> attributes() {
        var attributes = new HashMap<String, AttributeValue>();
        put(attributes, 95, "model", new AttributeValue.StringValue(dice.pick("A", "A", "B")));
        put(attributes, 90, "numa", numa());
        put(attributes, 50, "fast", new AttributeValue.BoolValue(dice.chance(60)));
        put(
                attributes,
                60,
                "firmware",
                dice.chance(20)
                        ? new AttributeValue.VersionList(
                                List.of("1.2.0", dice.pick("2.0.0", "3.0.0")))
                        : new AttributeValue.VersionValue(dice.pick("1.2.0", "2.0.0")));
        put(attributes, 40, "links", links());
        if (dice.chance(88)) {
            attributes.put(
                    RandomNames.RACK, new AttributeValue.StringValue(dice.pick("r1", "r1", "r2")));
        }
        if (dice.chance(1)) {
            attributes.put("future", new AttributeValue.Unrecognised(JsonObject.EMPTY));
        }
        return attributes;
    }

    private AttributeValue numa() {
        return switch (dice.between(0, 9)) {
            case 0 -> new AttributeValue.IntList(List.of(0L, 1L));
            case 1 -> new AttributeValue.IntList(List.of(1L));
            case 2 -> new AttributeValue.StringValue("0");
            default -> new AttributeValue.IntValue(dice.between(0, 1));
        };
    }

    private AttributeValue links() {
        return dice.chance(80)
                ? new AttributeValue.StringList(
                        dice.pick(List.of("x"), List.of("x", "y"), List.of("z")))
                : new AttributeValue.BoolList(List.of(dice.chance(50)));
    }

    private void put(
            Map<String, AttributeValue> attributes,
            int percent,
            String name,
            AttributeValue value) {
        if (dice.chance(percent)) {
            attributes.put(dice.chance(15) ? driver + "/" + name : name, value);
        }
    }

    private Map<String, DeviceCapacity> capacity(boolean isShareable) {
        var capacity = new HashMap<String, DeviceCapacity>();
        if (dice.chance(isShareable ? 85 : 50)) {
            capacity.put("memory", memory());
        }
        if (dice.chance(isShareable ? 40 : 15)) {
            capacity.put("cores", cores());
        }
        if (dice.chance(10)) {
            capacity.put(driver + "/slots", new DeviceCapacity(Quantity.of(4), slots()));
        }
        return capacity;
    }

    private DeviceCapacity memory() {
        var value = Quantity.parse(dice.pick("8Gi", "8Gi", "16Gi"));
        var standard = dice.maybe(80, Quantity.parse("2Gi"));
        return new DeviceCapacity(
                value,
                switch (dice.between(0, 4)) {
                    case 0 -> Optional.empty();
                    case 1 -> Optional.of(new CapacityRequestPolicy.AnyAmount(standard));
                    case 2 ->
                            Optional.of(
                                    new CapacityRequestPolicy.ValidValues(
                                            standard,
                                            List.of(
                                                    Quantity.parse("2Gi"),
                                                    Quantity.parse("4Gi"),
                                                    Quantity.parse("8Gi"))));
                    default ->
                            Optional.of(
                                    new CapacityRequestPolicy.ValidRange(
                                            standard,
                                            Quantity.parse("1Gi"),
                                            dice.maybe(50, Quantity.parse("6Gi")),
                                            dice.maybe(70, Quantity.parse("1Gi"))));
                });
    }

    private DeviceCapacity cores() {
        var range =
                new CapacityRequestPolicy.ValidRange(
                        dice.maybe(90, Quantity.parse("500m")),
                        Quantity.parse(dice.pick("250m", "500m", "1")),
                        dice.maybe(60, Quantity.parse("2")),
                        dice.maybe(85, Quantity.parse(dice.pick("250m", "500m", "1", "1m"))));
        return new DeviceCapacity(Quantity.of(dice.between(2, 3)), Optional.of(range));
    }

    private Optional<CapacityRequestPolicy> slots() {
        return dice.maybe(70, new CapacityRequestPolicy.AnyAmount(Optional.of(Quantity.of(1))));
    }

    private List<DeviceTaint> taints() {
        var taints = new ArrayList<DeviceTaint>();
        for (var i = dice.between(1, 2); i > 0; i--) {
            taints.add(
                    new DeviceTaint(
                            dice.pick("example.com/hot", "example.com/old"),
                            dice.pick("", "yes"),
                            dice.pick(
                                    TaintEffect.Known.NO_SCHEDULE,
                                    TaintEffect.Known.NO_EXECUTE,
                                    TaintEffect.Known.NONE,
                                    TaintEffect.of("PreferNoSchedule")),
                            Optional.empty()));
        }
        return taints;
    }
}
