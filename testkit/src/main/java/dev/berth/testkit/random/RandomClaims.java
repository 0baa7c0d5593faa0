package dev.berth.testkit.random;

import dev.berth.model.api.AllocationCount;
import dev.berth.model.api.CapacityRequirements;
import dev.berth.model.api.DerivedAttribute;
import dev.berth.model.api.DeviceClaimConfiguration;
import dev.berth.model.api.DeviceConfiguration;
import dev.berth.model.api.DeviceConstraint;
import dev.berth.model.api.DeviceDemand;
import dev.berth.model.api.DeviceRequest;
import dev.berth.model.api.DeviceSelector;
import dev.berth.model.api.DeviceSubRequest;
import dev.berth.model.api.DeviceToleration;
import dev.berth.model.api.ObjectMeta;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceClaimSpec;
import dev.berth.model.api.ResourceClaimStatus;
import dev.berth.model.api.TaintEffect;
import dev.berth.model.api.TolerationOperator;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Claims with requests of every kind, constraints over them and configuration for them.
final class RandomClaims {

    /// Most look before they leap; some fail on devices that lack what they read.
    private static final List<String> SELECTORS =
            List.of(
                    "device.attributes[\"gpu.example.com\"].?model.orValue(\"\") == \"A\"",
                    "device.attributes[\"gpu.example.com\"].?model.orValue(\"\") == \"A\"",
                    "device.attributes[\"site.example.com\"].?rack.orValue(\"\") != \"r2\"",
                    "!has(device.attributes[device.driver].fast)"
                            + " || device.attributes[device.driver].fast",
                    "\"memory\" in device.capacity[device.driver]",
                    "device.allowMultipleAllocations",
                    "!device.allowMultipleAllocations",
                    "device.attributes[device.driver].model == \"A\"",
                    "device.capacity[device.driver].memory.compareTo(quantity(\"8Gi\")) >= 0");

    private static final List<String> ATTRIBUTES =
            List.of(
                    "gpu.example.com/model",
                    "gpu.example.com/numa",
                    "gpu.example.com/links",
                    "gpu.example.com/firmware",
                    RandomNames.RACK,
                    RandomNames.RACK,
                    RandomNames.RACK,
                    RandomNames.DERIVED);

    private final SeededRandom dice;

    RandomClaims(SeededRandom dice) {
        this.dice = dice;
    }

    ResourceClaim claim(int number) {
        var requests = new ArrayList<DeviceRequest>();
        for (var i = dice.pick(0, 1, 1, 1, 1, 1, 2, 2, 2, 3); i > 0; i--) {
            requests.add(request("req-" + requests.size()));
        }
        var constraints = new ArrayList<DeviceConstraint>();
        while (dice.chance(22)) {
            constraints.add(constraint());
        }
        var config = new ArrayList<DeviceClaimConfiguration>();
        while (dice.chance(30)) {
            config.add(
                    new DeviceClaimConfiguration(
                            someRequests(), configuration("claim-" + config.size())));
        }
        return new ResourceClaim(
                ObjectMeta.of("default", "claim-" + number),
                new ResourceClaimSpec(requests, constraints, config),
                ResourceClaimStatus.EMPTY);
    }

    static DeviceConfiguration configuration(String text) {
        return new DeviceConfiguration.Opaque(
                RandomNames.GPU, JsonObject.of("mode", new Json.JsonString(text)));
    }

    private DeviceRequest request(String name) {
        if (dice.chance(25)) {
            var alternatives = new ArrayList<DeviceSubRequest>();
            for (var i = dice.between(1, 3); i > 0; i--) {
                var count = dice.chance(6) ? new AllocationCount.ExactCount(31) : count();
                alternatives.add(new DeviceSubRequest("sub-" + alternatives.size(), demand(count)));
            }
            return new DeviceRequest.FirstAvailable(name, alternatives);
        }
        var admin = dice.chance(10);
        return new DeviceRequest.Exactly(
                name, demand(count()), admin ? Optional.of(dice.chance(85)) : Optional.empty());
    }

    private AllocationCount count() {
        var roll = dice.between(0, 199);
        if (roll == 0) {
            return new AllocationCount.Unrecognised("Half", 0);
        } else if (roll == 1) {
            return new AllocationCount.ExactCount(33);
        } else if (roll < 22) {
            return new AllocationCount.All();
        }
        return new AllocationCount.ExactCount(dice.pick(1, 1, 1, 1, 1, 2, 2, 3));
    }

    private DeviceDemand demand(AllocationCount count) {
        var selectors = new ArrayList<DeviceSelector>();
        while (dice.chance(22)) {
            selectors.add(new DeviceSelector.Cel(dice.pick(SELECTORS)));
        }
        if (dice.between(0, 299) == 0) {
            selectors.add(new DeviceSelector.Unrecognised(JsonObject.EMPTY));
        }
        return new DeviceDemand(
                dice.between(0, 199) == 0 ? "nothing" : dice.pick(RandomNames.CLASSES),
                selectors,
                count,
                dice.chance(25) ? List.of(toleration()) : List.of(),
                dice.chance(16) ? Optional.of(capacity()) : Optional.empty(),
                dice.chance(15) ? List.of(derived()) : List.of());
    }

    private DeviceToleration toleration() {
        return new DeviceToleration(
                dice.pick("", "example.com/hot", "example.com/old"),
                dice.pick(
                        TolerationOperator.Known.EXISTS,
                        TolerationOperator.Known.EXISTS,
                        TolerationOperator.Known.EQUAL,
                        TolerationOperator.Known.UNSET,
                        TolerationOperator.of("Like")),
                dice.pick("", "yes"),
                dice.maybe(40, TaintEffect.Known.NO_SCHEDULE),
                OptionalLong.empty());
    }

    private CapacityRequirements capacity() {
        var requests = new HashMap<String, Quantity>();
        if (dice.chance(80)) {
            var amount = dice.pick("1Gi", "1500Mi", "2Gi", "3Gi", "4Gi", "5Gi", "8Gi");
            requests.put("memory", Quantity.parse(dice.chance(1) ? "-1" : amount));
        }
        if (dice.chance(25)) {
            var amount = dice.pick("100m", "600m", "750m", "1", "1500m", "2");
            requests.put("cores", Quantity.parse(dice.chance(3) ? "10000000000000000000" : amount));
        }
        if (dice.chance(4)) {
            requests.put("slots", Quantity.of(2));
        }
        return new CapacityRequirements(requests);
    }

    private DerivedAttribute derived() {
        var expression =
                dice.pick(
                        "device.attributes[device.driver].?numa.orValue(0)",
                        "device.attributes[device.driver].?model.orValue(\"A\")",
                        "device.attributes[\"site.example.com\"].?rack.orValue(\"r1\")",
                        "[\"x\", device.driver]",
                        "device.attributes[device.driver].numa");
        return new DerivedAttribute(
                dice.chance(80) ? RandomNames.DERIVED : "gpu.example.com/model", expression);
    }

    private DeviceConstraint constraint() {
        var requests = someRequests();
        var attribute = dice.pick(ATTRIBUTES);
        if (dice.chance(1)) {
            return new DeviceConstraint.Unrecognised(requests, JsonObject.EMPTY);
        }
        return dice.chance(60)
                ? new DeviceConstraint.MatchAttribute(requests, attribute, Optional.empty())
                : new DeviceConstraint.DistinctAttribute(requests, attribute);
    }

    private List<String> someRequests() {
        return dice.chance(50)
                ? List.of()
                : dice.some(40, List.of("req-0", "req-1", "req-0/sub-0", "req-1/sub-1"));
    }
}
