package dev.berth.bench;

import dev.berth.bench.SingleNodePool.Listing;
import dev.berth.core.allocate.AllocationRequest;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.CounterSet;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceCapacity;
import dev.berth.model.api.slice.DeviceCounterConsumption;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Hard allocation requests of types that are missing in the upstream examples: nested partitions,
/// several claims, shares of capacities, lists, and constraints that earlier requests can make
/// unsatisfiable.
final class HarderAllocations {

    private static final int CHIPS = 16;
    private static final int VALUES = 47;

    private HarderAllocations() {}

    /// A 1g, a 2g and a 4g for each GPU as in `rising`, in three claims, so that there can be more
    /// devices.
    static AllocationRequest claims(int gpus) {
        return SingleNodePool.partitioned(gpus, Listing.BY_PROFILE)
                .request(
                        List.of(
                                new ClaimBuilder().request("a", "1g", gpus).claim("ones"),
                                new ClaimBuilder().request("b", "2g", gpus).claim("twos"),
                                new ClaimBuilder().request("d", "4g", gpus).claim("fours")));
    }

    /// Three 1g, and a 2g and a 3g of one GPU, must share a GPU, since all others are requested
    /// whole; one compute slice is missing.
    static AllocationRequest together(int gpus) {
        return SingleNodePool.partitioned(gpus, Listing.BY_PROFILE)
                .request(
                        new ClaimBuilder()
                                .request("a", "1g", 3)
                                .request("b", "2g", 1)
                                .request("c", "3g", 1)
                                .request("whole", "7g", gpus - 1)
                                .inOneGroup("b", "c")
                                .only());
    }

    /// Trees of chips that can be partitioned in halves, quarters and so on, smallest first; all
    /// are requested.
    static AllocationRequest nested(int trees) {
        return trees(trees).request(nestedClaims(trees, 2 * trees));
    }

    /// Like `nested`, with one chip more.
    static AllocationRequest nestedTooMany(int trees) {
        return trees(trees).request(nestedClaims(trees, 2 * trees + 1));
    }

    private static List<ResourceClaim> nestedClaims(int trees, int singles) {
        return new ClaimBuilder()
                .request("ones", "1g", singles)
                .request("twos", "2g", trees)
                .request("fours", "4g", trees)
                .request("eights", "gpu", trees)
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

    /// A device of ten units has space for shares of six and four units, or two of four; there is
    /// one share of four too many, although the sum would suffice.
    static AllocationRequest bins(int devices) {
        var claim = new ClaimBuilder();
        for (var i = 0; i < devices / 2; i++) {
            claim.requestShare("six-" + i, "gpu", 6);
        }
        for (var i = 0; i < 2 * devices - devices / 2 + 1; i++) {
            claim.requestShare("four-" + i, "gpu", 4);
        }
        var shareable = new ArrayList<Device>();
        for (var device : SingleNodePool.equal("gpu", devices)) {
            shareable.add(
                    device.withCapacity(
                                    Map.of(
                                            ClaimBuilder.SHARED,
                                            new DeviceCapacity(Quantity.of(10), Optional.empty())))
                            .withMultipleAllocations());
        }
        return SingleNodePool.of(shareable).request(claim.only());
    }

    /// Requests one device more than there are groups, each of a different group.
    static AllocationRequest pigeons(int groups) {
        var devices = new ArrayList<Device>();
        for (var i = 0; i < 4 * groups; i++) {
            devices.add(SingleNodePool.device("gpu-" + i, "gpu", "group-" + i % groups));
        }
        return SingleNodePool.of(devices)
                .request(
                        new ClaimBuilder()
                                .requestSingles("gpu", groups + 1)
                                .inDistinctGroups()
                                .only());
    }

    /// A pair of one group is requested last; the first devices in search order break up all pairs.
    static AllocationRequest spoiled(int pairs) {
        var devices = new ArrayList<Device>();
        for (var i = 0; i < pairs; i++) {
            devices.add(SingleNodePool.device("gpu-" + i, "gpu", "group-" + i));
        }
        for (var i = pairs - 1; i >= 0; i--) {
            devices.add(SingleNodePool.device("nic-" + i, "nic", "group-" + i));
        }
        return SingleNodePool.of(devices)
                .request(
                        new ClaimBuilder()
                                .request("gpus", "gpu", pairs - 1)
                                .request("nics", "nic", pairs - 1)
                                .request("gpu", "gpu", 1)
                                .request("nic", "nic", 1)
                                .inOneGroup("gpu", "nic")
                                .only());
    }

    /// Devices with long list attributes, of which only the second half have a value in common.
    static AllocationRequest lists(int count) {
        var devices = new ArrayList<Device>();
        for (var i = 0; i < 2 * count; i++) {
            var values = new ArrayList<String>();
            for (var value = 0; value < VALUES; value++) {
                values.add("value-%d-%d".formatted(i, value));
            }
            if (i >= count) {
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
                .request(new ClaimBuilder().requestSingles("gpu", count).inOneGroup().only());
    }
}
