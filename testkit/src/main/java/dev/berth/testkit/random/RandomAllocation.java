package dev.berth.testkit.random;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.DeviceClassSpec;
import dev.berth.model.api.DeviceConfiguration;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.DeviceSelector;
import dev.berth.model.api.Node;
import dev.berth.model.api.NodeSpec;
import dev.berth.model.api.NodeStatus;
import dev.berth.model.api.ObjectMeta;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceSlice;
import dev.berth.model.api.ShareId;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Questions to the allocator, each made of its seed alone: at most three pools, eight devices and
/// three claims, so that a search without any cleverness answers at once.
///
/// Every feature is on in most of them, and some are off in the others. Mistakes are rare enough
/// that a good part of the questions has a solution.
public final class RandomAllocation {

    private static final int MOST_POOLS = 3;
    private static final int MOST_DEVICES = 8;

    private final SeededRandom dice;

    private RandomAllocation(long seed) {
        this.dice = new SeededRandom(seed);
    }

    /// The question of a seed; the same one each time.
    public static AllocationRequest of(long seed) {
        return new RandomAllocation(seed).question();
    }

    private AllocationRequest question() {
        var slices = slices();
        var claims = new ArrayList<ResourceClaim>();
        for (var i = dice.pick(1, 1, 1, 1, 2, 2, 3); i > 0; i--) {
            claims.add(new RandomClaims(dice).claim(claims.size()));
        }
        return new AllocationRequest(
                features(), node(), classes(), slices, holdings(slices), claims);
    }

    private Set<AllocatorFeature> features() {
        var features = Set.of(AllocatorFeature.values());
        return dice.chance(80)
                ? features
                : Set.copyOf(dice.some(75, List.of(AllocatorFeature.values())));
    }

    private Node node() {
        List<String> declared =
                dice.chance(80) ? List.of("DRAOptionalNodeOperations") : List.of("Other");
        return new Node(
                ObjectMeta.of(RandomNames.NODE).withLabels(Map.of("zone", "a", "cores", "8")),
                NodeSpec.EMPTY,
                new NodeStatus(Map.of(), Map.of(), declared, List.of()));
    }

    private List<DeviceClass> classes() {
        var selectsGpu = "device.driver == \"gpu.example.com\"";
        return List.of(
                deviceClass("gpu", List.of(selectsGpu), dice.between(0, 2)),
                deviceClass("nic", List.of("device.driver == \"nic.example.com\""), 0),
                deviceClass("any", List.of(), dice.between(0, 1)),
                deviceClass("shared", List.of(selectsGpu, "device.allowMultipleAllocations"), 0));
    }

    private static DeviceClass deviceClass(String name, List<String> selectors, int configs) {
        var config = new ArrayList<DeviceConfiguration>();
        for (var i = 0; i < configs; i++) {
            config.add(RandomClaims.configuration(name + "-" + i));
        }
        return new DeviceClass(
                ObjectMeta.of(name),
                new DeviceClassSpec(
                        selectors.stream().<DeviceSelector>map(DeviceSelector.Cel::new).toList(),
                        config,
                        Optional.empty()));
    }

    private List<ResourceSlice> slices() {
        var slices = new ArrayList<ResourceSlice>();
        var ids = new HashSet<PoolId>();
        var left = MOST_DEVICES;
        for (var i = dice.pick(1, 2, MOST_POOLS, MOST_POOLS); i > 0; i--) {
            var id =
                    new PoolId(
                            dice.pick(RandomNames.DRIVERS),
                            dice.pick("pool-a", "pool-b", "pool-c"));
            if (ids.add(id)) {
                var devices = Math.min(left, dice.between(2, 5));
                left -= devices;
                slices.addAll(new RandomPool(dice, id).slices(Math.max(devices, 1)));
            }
        }
        return dice.shuffled(slices);
    }

    /// Some devices are taken; a device may have changed its mind about sharing since.
    private Holdings holdings(List<ResourceSlice> slices) {
        var exclusive = new HashSet<DeviceId>();
        var shares = new HashSet<ShareId>();
        var consumed = new HashMap<DeviceId, Map<String, Quantity>>();
        var busy = dice.pick(0, 0, 10, 30);
        for (var slice : slices) {
            for (var device : slice.spec().devices()) {
                var id =
                        new DeviceId(
                                slice.spec().driver(), slice.spec().pool().name(), device.name());
                if (!dice.chance(busy)) {
                    continue;
                }
                if (device.isShareable() == dice.chance(5)) {
                    exclusive.add(id);
                    continue;
                }
                shares.add(new ShareId(id, "held-" + shares.size()));
                if (device.capacity().containsKey("memory")) {
                    consumed.put(id, Map.of("memory", Quantity.parse(dice.pick("1Gi", "4Gi"))));
                }
            }
        }
        if (dice.chance(5)) {
            exclusive.add(new DeviceId(RandomNames.GPU, "pool-a", "gone"));
        }
        return new Holdings(exclusive, shares, consumed);
    }
}
