package dev.berth.core.testkit.random;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceClassSpec;
import dev.berth.model.api.claim.DeviceConfiguration;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ShareId;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.node.NodeSpec;
import dev.berth.model.api.node.NodeStatus;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Random allocation requests, determined by a seed: at most three pools, eight devices and three
/// claims, so that even a search without pruning is fast.
///
/// All features are enabled in most requests, some are disabled in the others. Invalid input is
/// rare enough that a good part of the requests has a solution.
public final class RandomAllocation {

    private static final int MOST_POOLS = 3;
    private static final int MOST_DEVICES = 8;

    private final SeededRandom random;

    private RandomAllocation(long seed) {
        this.random = new SeededRandom(seed);
    }

    /// The allocation request of a seed; deterministic.
    public static AllocationRequest of(long seed) {
        return new RandomAllocation(seed).allocationRequest();
    }

    private AllocationRequest allocationRequest() {
        var slices = slices();
        var claims = new ArrayList<ResourceClaim>();
        for (var i = random.pick(1, 1, 1, 1, 2, 2, 3); i > 0; i--) {
            claims.add(new RandomClaims(random).claim(claims.size()));
        }
        return new AllocationRequest(
                features(), node(), classes(), slices, holdings(slices), claims);
    }

    private Set<AllocatorFeature> features() {
        var features = Set.of(AllocatorFeature.values());
        return random.chance(80)
                ? features
                : Set.copyOf(random.some(75, List.of(AllocatorFeature.values())));
    }

    private Node node() {
        List<String> declared =
                random.chance(80) ? List.of("DRAOptionalNodeOperations") : List.of("Other");
        return new Node(
                ObjectMeta.of(RandomNames.NODE).withLabels(Map.of("zone", "a", "cores", "8")),
                NodeSpec.EMPTY,
                new NodeStatus(Map.of(), Map.of(), declared, List.of()));
    }

    private List<DeviceClass> classes() {
        var selectsGpu = "device.driver == \"gpu.example.com\"";
        return List.of(
                deviceClass("gpu", List.of(selectsGpu), random.between(0, 2)),
                deviceClass("nic", List.of("device.driver == \"nic.example.com\""), 0),
                deviceClass("any", List.of(), random.between(0, 1)),
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
        for (var i = random.pick(1, 2, MOST_POOLS, MOST_POOLS); i > 0; i--) {
            var id =
                    new PoolId(
                            random.pick(RandomNames.DRIVERS),
                            random.pick("pool-a", "pool-b", "pool-c"));
            if (ids.add(id)) {
                var devices = Math.min(left, random.between(2, 5));
                left -= devices;
                slices.addAll(new RandomPool(random, id).slices(Math.max(devices, 1)));
            }
        }
        return random.shuffled(slices);
    }

    /// Some devices are allocated; a device may have become shareable or exclusive since.
    private Holdings holdings(List<ResourceSlice> slices) {
        var exclusive = new HashSet<DeviceId>();
        var shares = new HashSet<ShareId>();
        var consumed = new HashMap<DeviceId, Map<String, Quantity>>();
        var busy = random.pick(0, 0, 10, 30);
        for (var slice : slices) {
            for (var device : slice.spec().devices()) {
                var id =
                        new DeviceId(
                                slice.spec().driver(), slice.spec().pool().name(), device.name());
                if (!random.chance(busy)) {
                    continue;
                }
                if (device.isShareable() == random.chance(5)) {
                    exclusive.add(id);
                    continue;
                }
                shares.add(new ShareId(id, "held-" + shares.size()));
                if (device.capacity().containsKey("memory")) {
                    consumed.put(id, Map.of("memory", Quantity.parse(random.pick("1Gi", "4Gi"))));
                }
            }
        }
        if (random.chance(5)) {
            exclusive.add(new DeviceId(RandomNames.GPU, "pool-a", "gone"));
        }
        return new Holdings(exclusive, shares, consumed);
    }
}
