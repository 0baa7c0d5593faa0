package dev.berth.core.testkit.random;

import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.CapacityRequirements;
import dev.berth.model.api.claim.DerivedAttribute;
import dev.berth.model.api.claim.DeviceClaimConfiguration;
import dev.berth.model.api.claim.DeviceConfiguration;
import dev.berth.model.api.claim.DeviceConstraint;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.claim.DeviceSubRequest;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.taint.DeviceToleration;
import dev.berth.model.api.taint.TaintEffect;
import dev.berth.model.api.taint.TolerationOperator;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Random claims with all types of requests, constraints and configuration.
final class RandomClaims {

    /// Most selectors use optional access; some fail on devices without the attribute.
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

    private final SeededRandom random;

    RandomClaims(SeededRandom random) {
        this.random = random;
    }

    ResourceClaim claim(int number) {
        var requests = new ArrayList<DeviceRequest>();
        for (var i = random.pick(0, 1, 1, 1, 1, 1, 2, 2, 2, 3); i > 0; i--) {
            requests.add(request("req-" + requests.size()));
        }
        var constraints = new ArrayList<DeviceConstraint>();
        while (random.chance(22)) {
            constraints.add(constraint());
        }
        var config = new ArrayList<DeviceClaimConfiguration>();
        while (random.chance(30)) {
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
        if (random.chance(25)) {
            var alternatives = new ArrayList<DeviceSubRequest>();
            for (var i = random.between(1, 3); i > 0; i--) {
                var count = random.chance(6) ? new AllocationCount.ExactCount(31) : count();
                alternatives.add(new DeviceSubRequest("sub-" + alternatives.size(), demand(count)));
            }
            return new DeviceRequest.FirstAvailable(name, alternatives);
        }
        var admin = random.chance(10);
        return new DeviceRequest.Exactly(
                name, demand(count()), admin ? Optional.of(random.chance(85)) : Optional.empty());
    }

    private AllocationCount count() {
        var roll = random.between(0, 199);
        if (roll == 0) {
            return new AllocationCount.Unrecognised("Half", 0);
        } else if (roll == 1) {
            return new AllocationCount.ExactCount(33);
        } else if (roll < 22) {
            return new AllocationCount.All();
        }
        return new AllocationCount.ExactCount(random.pick(1, 1, 1, 1, 1, 2, 2, 3));
    }

    private DeviceDemand demand(AllocationCount count) {
        var selectors = new ArrayList<DeviceSelector>();
        while (random.chance(22)) {
            selectors.add(new DeviceSelector.Cel(random.pick(SELECTORS)));
        }
        if (random.between(0, 299) == 0) {
            selectors.add(new DeviceSelector.Unrecognised(JsonObject.EMPTY));
        }
        return new DeviceDemand(
                random.between(0, 199) == 0 ? "nothing" : random.pick(RandomNames.CLASSES),
                selectors,
                count,
                random.chance(25) ? List.of(toleration()) : List.of(),
                random.chance(16) ? Optional.of(capacity()) : Optional.empty(),
                random.chance(15) ? List.of(derived()) : List.of());
    }

    private DeviceToleration toleration() {
        return new DeviceToleration(
                random.pick("", "example.com/hot", "example.com/old"),
                random.pick(
                        TolerationOperator.Known.EXISTS,
                        TolerationOperator.Known.EXISTS,
                        TolerationOperator.Known.EQUAL,
                        TolerationOperator.Known.UNSET,
                        TolerationOperator.of("Like")),
                random.pick("", "yes"),
                random.maybe(40, TaintEffect.Known.NO_SCHEDULE),
                OptionalLong.empty());
    }

    private CapacityRequirements capacity() {
        var requests = new HashMap<String, Quantity>();
        if (random.chance(80)) {
            var amount = random.pick("1Gi", "1500Mi", "2Gi", "3Gi", "4Gi", "5Gi", "8Gi");
            requests.put("memory", Quantity.parse(random.chance(1) ? "-1" : amount));
        }
        if (random.chance(25)) {
            var amount = random.pick("100m", "600m", "750m", "1", "1500m", "2");
            requests.put(
                    "cores", Quantity.parse(random.chance(3) ? "10000000000000000000" : amount));
        }
        if (random.chance(4)) {
            requests.put("slots", Quantity.of(2));
        }
        return new CapacityRequirements(requests);
    }

    private DerivedAttribute derived() {
        var expression =
                random.pick(
                        "device.attributes[device.driver].?numa.orValue(0)",
                        "device.attributes[device.driver].?model.orValue(\"A\")",
                        "device.attributes[\"site.example.com\"].?rack.orValue(\"r1\")",
                        "[\"x\", device.driver]",
                        "device.attributes[device.driver].numa");
        return new DerivedAttribute(
                random.chance(80) ? RandomNames.DERIVED : "gpu.example.com/model", expression);
    }

    private DeviceConstraint constraint() {
        var requests = someRequests();
        var attribute = random.pick(ATTRIBUTES);
        if (random.chance(1)) {
            return new DeviceConstraint.Unrecognised(requests, JsonObject.EMPTY);
        }
        return random.chance(60)
                ? new DeviceConstraint.MatchAttribute(requests, attribute, Optional.empty())
                : new DeviceConstraint.DistinctAttribute(requests, attribute);
    }

    private List<String> someRequests() {
        return random.chance(50)
                ? List.of()
                : random.some(40, List.of("req-0", "req-1", "req-0/sub-0", "req-1/sub-1"));
    }
}
