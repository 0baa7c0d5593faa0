package dev.berth.core.testkit.random;

import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.CapacityRequestPolicy;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceCapacity;
import dev.berth.model.api.slice.DeviceCounterConsumption;
import dev.berth.model.api.slice.DeviceScope;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.TaintEffect;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Random devices with attributes of all types, capacities with all policies, taints and
/// conditions.
final class RandomDevices {

    private final SeededRandom random;
    private final String driver;

    RandomDevices(SeededRandom random, String driver) {
        this.random = random;
        this.driver = driver;
    }

    Device device(String name, DeviceScope scope, List<DeviceCounterConsumption> counters) {
        var isShareable = random.chance(35);
        return new Device(
                name,
                attributes(),
                capacity(isShareable),
                counters,
                scope,
                random.chance(12) ? taints() : List.of(),
                random.maybe(8, true),
                random.chance(6) ? List.of("example.com/attached") : List.of(),
                random.chance(4) ? List.of("example.com/broken") : List.of(),
                isShareable ? Optional.of(true) : random.maybe(20, false),
                Map.of());
    }

    private Map<String, AttributeValue> attributes() {
        var attributes = new HashMap<String, AttributeValue>();
        put(attributes, 95, "model", new AttributeValue.StringValue(random.pick("A", "A", "B")));
        put(attributes, 90, "numa", numa());
        put(attributes, 50, "fast", new AttributeValue.BoolValue(random.chance(60)));
        put(
                attributes,
                60,
                "firmware",
                random.chance(20)
                        ? new AttributeValue.VersionList(
                                List.of("1.2.0", random.pick("2.0.0", "3.0.0")))
                        : new AttributeValue.VersionValue(random.pick("1.2.0", "2.0.0")));
        put(attributes, 40, "links", links());
        if (random.chance(88)) {
            attributes.put(
                    RandomNames.RACK,
                    new AttributeValue.StringValue(random.pick("r1", "r1", "r2")));
        }
        if (random.chance(1)) {
            attributes.put("future", new AttributeValue.Unrecognised(JsonObject.EMPTY));
        }
        return attributes;
    }

    private AttributeValue numa() {
        return switch (random.between(0, 9)) {
            case 0 -> new AttributeValue.IntList(List.of(0L, 1L));
            case 1 -> new AttributeValue.IntList(List.of(1L));
            case 2 -> new AttributeValue.StringValue("0");
            default -> new AttributeValue.IntValue(random.between(0, 1));
        };
    }

    private AttributeValue links() {
        return random.chance(80)
                ? new AttributeValue.StringList(
                        random.pick(List.of("x"), List.of("x", "y"), List.of("z")))
                : new AttributeValue.BoolList(List.of(random.chance(50)));
    }

    private void put(
            Map<String, AttributeValue> attributes,
            int percent,
            String name,
            AttributeValue value) {
        if (random.chance(percent)) {
            attributes.put(random.chance(15) ? driver + "/" + name : name, value);
        }
    }

    private Map<String, DeviceCapacity> capacity(boolean isShareable) {
        var capacity = new HashMap<String, DeviceCapacity>();
        if (random.chance(isShareable ? 85 : 50)) {
            capacity.put("memory", memory());
        }
        if (random.chance(isShareable ? 40 : 15)) {
            capacity.put("cores", cores());
        }
        if (random.chance(10)) {
            capacity.put(driver + "/slots", new DeviceCapacity(Quantity.of(4), slots()));
        }
        return capacity;
    }

    private DeviceCapacity memory() {
        var value = Quantity.parse(random.pick("8Gi", "8Gi", "16Gi"));
        var standard = random.maybe(80, Quantity.parse("2Gi"));
        return new DeviceCapacity(
                value,
                switch (random.between(0, 4)) {
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
                                            random.maybe(50, Quantity.parse("6Gi")),
                                            random.maybe(70, Quantity.parse("1Gi"))));
                });
    }

    private DeviceCapacity cores() {
        var range =
                new CapacityRequestPolicy.ValidRange(
                        random.maybe(90, Quantity.parse("500m")),
                        Quantity.parse(random.pick("250m", "500m", "1")),
                        random.maybe(60, Quantity.parse("2")),
                        random.maybe(85, Quantity.parse(random.pick("250m", "500m", "1", "1m"))));
        return new DeviceCapacity(Quantity.of(random.between(2, 3)), Optional.of(range));
    }

    private Optional<CapacityRequestPolicy> slots() {
        return random.maybe(70, new CapacityRequestPolicy.AnyAmount(Optional.of(Quantity.of(1))));
    }

    private List<DeviceTaint> taints() {
        var taints = new ArrayList<DeviceTaint>();
        for (var i = random.between(1, 2); i > 0; i--) {
            taints.add(
                    new DeviceTaint(
                            random.pick("example.com/hot", "example.com/old"),
                            random.pick("", "yes"),
                            random.pick(
                                    TaintEffect.Known.NO_SCHEDULE,
                                    TaintEffect.Known.NO_EXECUTE,
                                    TaintEffect.Known.NONE,
                                    TaintEffect.of("PreferNoSchedule")),
                            Optional.empty()));
        }
        return taints;
    }
}
