package dev.berth.bench;

import dev.berth.bench.SingleNodePool.Listing;
import dev.berth.core.allocate.AllocationRequest;
import dev.berth.model.api.AttributeValue;
import dev.berth.model.api.CounterSet;
import dev.berth.model.api.Device;
import dev.berth.model.api.DeviceCapacity;
import dev.berth.model.api.DeviceCounterConsumption;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Hard questions of which Kubernetes' own table has no example: partitions within partitions,
/// several claims, shares of capacities, lists, and constraints that earlier requests can spoil.
final class HarderAllocations {

    private static final int CHIPS = 16;
    private static final int VALUES = 47;

    private HarderAllocations() {}

    /// A 1g, a 2g and a 4g for each GPU as in `rising`, a claim each, so that there can be more.
    static AllocationRequest claims(int gpus) {
        return SingleNodePool.partitioned(gpus, Listing.BY_PROFILE)
                .question(
                        List.of(
                                new ClaimBuilder().want("a", "1g", gpus).claim("ones"),
                                new ClaimBuilder().want("b", "2g", gpus).claim("twos"),
                                new ClaimBuilder().want("d", "4g", gpus).claim("fours")));
    }

    /// Three 1g, and a 2g and a 3g of one GPU, must share a GPU, for all others are wanted whole;
    /// there is one slice of computing too little.
    static AllocationRequest together(int gpus) {
        return SingleNodePool.partitioned(gpus, Listing.BY_PROFILE)
                .question(
                        new ClaimBuilder()
                                .want("a", "1g", 3)
                                .want("b", "2g", 1)
                                .want("c", "3g", 1)
                                .want("whole", "7g", gpus - 1)
                                .inOneGroup("b", "c")
                                .only());
    }

    /// Trees of chips to be had in halves, quarters and so on, smallest first; all are wanted.
    static AllocationRequest nested(int trees) {
        return trees(trees).question(nestedWishes(trees, 2 * trees));
    }

    /// The same and one chip more.
    static AllocationRequest nestedTooMany(int trees) {
        return trees(trees).question(nestedWishes(trees, 2 * trees + 1));
    }

    private static List<ResourceClaim> nestedWishes(int trees, int singles) {
        return new ClaimBuilder()
                .want("ones", "1g", singles)
                .want("twos", "2g", trees)
                .want("fours", "4g", trees)
                .want("eights", "gpu", trees)
                .only();
    }

    private static SingleNodePool trees(int trees) {
        var kinds = Map.of(1, "1g", 2, "2g", 4, "4g", 8, "gpu", CHIPS, "7g");
        var devices = new ArrayList<Device>();
        var counters = new ArrayList<CounterSet>();
        for (var tree = 0; tree < trees; tree++) {
            counters.add(new CounterSet("tree-" + tree, chips(0, CHIPS)));
        }
        for (var size = 1; size <= CHIPS; size *= 2) {
            for (var tree = 0; tree < trees; tree++) {
                for (var start = 0; start < CHIPS; start += size) {
                    devices.add(
                            SingleNodePool.device(
                                            "tree-%d-%d-of-%d".formatted(tree, start, size),
                                            kinds.getOrDefault(size, ""),
                                            "tree-" + tree)
                                    .withConsumesCounters(
                                            List.of(
                                                    new DeviceCounterConsumption(
                                                            "tree-" + tree,
                                                            chips(start, size),
                                                            List.of()))));
                }
            }
        }
        return new SingleNodePool(devices, counters, Set.of());
    }

    private static Map<String, Quantity> chips(int start, int count) {
        var chips = new LinkedHashMap<String, Quantity>();
        for (var chip = start; chip < start + count; chip++) {
            chips.put("chip-" + chip, Quantity.of(1));
        }
        return chips;
    }

    /// Of what a device has, one share of six and one of four can be had, or two of four; there is
    /// a share of four too many, though the sums would do.
    static AllocationRequest bins(int devices) {
        var wishes = new ClaimBuilder();
        for (var i = 0; i < devices / 2; i++) {
            wishes.wantShare("six-" + i, "gpu", 6);
        }
        for (var i = 0; i < 2 * devices - devices / 2 + 1; i++) {
            wishes.wantShare("four-" + i, "gpu", 4);
        }
        var shareable = new ArrayList<Device>();
        for (var device : SingleNodePool.alike("gpu", devices)) {
            shareable.add(
                    new Device(
                            device.name(),
                            device.attributes(),
                            Map.of(
                                    ClaimBuilder.SHARED,
                                    new DeviceCapacity(Quantity.of(10), Optional.empty())),
                            device.consumesCounters(),
                            device.scope(),
                            device.taints(),
                            device.bindsToNode(),
                            device.bindingConditions(),
                            device.bindingFailureConditions(),
                            Optional.of(true),
                            device.nodeAllocatableResources()));
        }
        return SingleNodePool.of(shareable).question(wishes.only());
    }

    /// One more wanted, each of another group, than there are groups.
    static AllocationRequest pigeons(int groups) {
        var devices = new ArrayList<Device>();
        for (var i = 0; i < 4 * groups; i++) {
            devices.add(SingleNodePool.device("gpu-" + i, "gpu", "group-" + i % groups));
        }
        return SingleNodePool.of(devices)
                .question(
                        new ClaimBuilder()
                                .wantSingles("gpu", groups + 1)
                                .inGroupsOfTheirOwn()
                                .only());
    }

    /// A pair of one group is wanted last; whatever comes first takes the wrong halves.
    static AllocationRequest spoiled(int pairs) {
        var devices = new ArrayList<Device>();
        for (var i = 0; i < pairs; i++) {
            devices.add(SingleNodePool.device("gpu-" + i, "gpu", "group-" + i));
        }
        for (var i = pairs - 1; i >= 0; i--) {
            devices.add(SingleNodePool.device("nic-" + i, "nic", "group-" + i));
        }
        return SingleNodePool.of(devices)
                .question(
                        new ClaimBuilder()
                                .want("gpus", "gpu", pairs - 1)
                                .want("nics", "nic", pairs - 1)
                                .want("gpu", "gpu", 1)
                                .want("nic", "nic", 1)
                                .inOneGroup("gpu", "nic")
                                .only());
    }

    /// Devices with long lists of values, of which only the second half have one in common.
    static AllocationRequest lists(int wanted) {
        var devices = new ArrayList<Device>();
        for (var i = 0; i < 2 * wanted; i++) {
            var values = new ArrayList<String>();
            for (var value = 0; value < VALUES; value++) {
                values.add("value-%d-%d".formatted(i, value));
            }
            if (i >= wanted) {
                values.set(VALUES - 1, "common");
            }
            devices.add(
                    Device.named("gpu-" + i)
                            .withAttributes(
                                    Map.of(
                                            "kind", new AttributeValue.StringValue("gpu"),
                                            "group", new AttributeValue.StringList(values))));
        }
        return SingleNodePool.of(devices)
                .question(new ClaimBuilder().wantSingles("gpu", wanted).inOneGroup().only());
    }
}
