package dev.berth.core.testkit.random;

import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.selector.NodeSelector;
import dev.berth.model.api.selector.NodeSelectorOperator;
import dev.berth.model.api.selector.NodeSelectorRequirement;
import dev.berth.model.api.selector.NodeSelectorTerm;
import dev.berth.model.api.slice.CounterSet;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceCounterConsumption;
import dev.berth.model.api.slice.DeviceScope;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourcePool;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.ResourceSliceSpec;
import dev.berth.model.api.slice.SkipNodeOperation;
import dev.berth.model.api.slice.SliceScope;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Random slices of one pool, of several generations and for several nodes; rarely invalid.
final class RandomPool {

    private static final NodeSelector MALFORMED =
            selector(requirement("zone", NodeSelectorOperator.Known.EXISTS, "a"));

    private final SeededRandom random;
    private final PoolId id;
    private final RandomDevices devices;
    private final boolean isPartitioned;
    private final boolean hasGroups;
    private final List<ResourceSlice> slices = new ArrayList<>();

    RandomPool(SeededRandom random, PoolId id) {
        this.random = random;
        this.id = id;
        this.devices = new RandomDevices(random, id.driver());
        this.isPartitioned = random.chance(35);
        this.hasGroups = random.chance(40);
    }

    /// @param deviceCount number of devices of the newest generation
    List<ResourceSlice> slices(int deviceCount) {
        var generation = random.between(1, 2);
        var sliceCount = Math.min(deviceCount, random.between(1, 2));
        var total = sliceCount + (isPartitioned ? 1 : 0) + (random.chance(3) ? 1 : 0);
        var pool = new ResourcePool(id.pool(), generation, total);
        var scope = scope();
        var next = 0;
        for (var i = 0; i < sliceCount; i++) {
            var count = i == sliceCount - 1 ? deviceCount - next : deviceCount / sliceCount;
            var ownScope = random.chance(20) ? scope() : scope;
            var content = new ArrayList<Device>();
            for (var j = 0; j < count; j++) {
                content.add(device(random.chance(1) ? "dev-0" : "dev-" + (next + j), ownScope));
            }
            next += count;
            slices.add(slice(pool, ownScope, content, List.of()));
        }
        if (isPartitioned) {
            var counterScope = random.chance(80) ? scope : scope();
            slices.add(slice(pool, plain(counterScope), List.of(), counterSets()));
        }
        if (random.chance(8)) {
            addOtherGeneration(generation - 1, scope);
        }
        if (random.chance(3)) {
            addOtherGeneration(generation + 1, new NodeScope.OneNode(RandomNames.OTHER_NODE));
        }
        return slices;
    }

    private void addOtherGeneration(long generation, SliceScope scope) {
        var pool = new ResourcePool(id.pool(), generation, 1);
        slices.add(slice(pool, scope, List.of(device("dev-9", scope)), List.of()));
    }

    private ResourceSlice slice(
            ResourcePool pool, SliceScope scope, List<Device> content, List<CounterSet> counters) {
        // Names determine the search order, so they must not follow the order of creation.
        var name = "%s-%d-%s".formatted(random.pick("a", "b", "c"), slices.size(), id.pool());
        List<SkipNodeOperation> skips =
                random.chance(4) ? List.of(SkipNodeOperation.Known.ALL) : List.of();
        return new ResourceSlice(
                ObjectMeta.of(id.driver().substring(0, 3) + "-" + name),
                new ResourceSliceSpec(
                        id.driver(), pool, scope, content, counters, Optional.empty(), skips));
    }

    private Device device(String name, SliceScope sliceScope) {
        DeviceScope scope =
                sliceScope instanceof SliceScope.PerDevice
                        ? deviceScope()
                        : new DeviceScope.AsSlice();
        var counters = isPartitioned && random.chance(80) ? consumption() : noCounters();
        return devices.device(name, scope, counters);
    }

    private static List<DeviceCounterConsumption> noCounters() {
        return List.of();
    }

    private List<DeviceCounterConsumption> consumption() {
        var consumption = new ArrayList<DeviceCounterConsumption>();
        consumption.add(consumption(random.chance(1) ? "unknown" : "board-0"));
        if (random.chance(25)) {
            consumption.add(consumption("board-1"));
        }
        return consumption;
    }

    private DeviceCounterConsumption consumption(String set) {
        List<String> groups =
                !hasGroups || random.chance(10)
                        ? List.of()
                        : random.pick(List.of("mig"), List.of("mig", "vgpu"), List.of("vgpu"));
        var counter = random.chance(1) ? "unknown" : "slices";
        return new DeviceCounterConsumption(
                set, Map.of(counter, Quantity.of(random.between(1, 3))), groups);
    }

    private List<CounterSet> counterSets() {
        var sets = new ArrayList<CounterSet>();
        sets.add(
                new CounterSet(
                        "board-0",
                        Map.of(
                                "slices",
                                Quantity.of(random.between(2, 8)),
                                "unused",
                                Quantity.of(1))));
        sets.add(
                new CounterSet(
                        random.chance(1) ? "board-0" : "board-1",
                        Map.of("slices", Quantity.of(random.between(2, 5)))));
        return sets;
    }

    private SliceScope scope() {
        var roll = random.between(0, 99);
        if (roll < 60) {
            return new NodeScope.OneNode(RandomNames.NODE);
        } else if (roll < 74) {
            return new NodeScope.AllNodes();
        } else if (roll < 84) {
            return new NodeScope.MatchingNodes(selector());
        } else if (roll < 95) {
            return new SliceScope.PerDevice();
        } else if (roll < 99) {
            return new NodeScope.OneNode(RandomNames.OTHER_NODE);
        }
        return new SliceScope.Unrecognised(JsonObject.EMPTY);
    }

    private static SliceScope plain(SliceScope scope) {
        return scope instanceof SliceScope.PerDevice ? new NodeScope.AllNodes() : scope;
    }

    private DeviceScope deviceScope() {
        var roll = random.between(0, 99);
        if (roll < 40) {
            return new NodeScope.OneNode(RandomNames.NODE);
        } else if (roll < 60) {
            return new NodeScope.AllNodes();
        } else if (roll < 82) {
            return new NodeScope.MatchingNodes(selector());
        } else if (roll < 84) {
            var terms = List.of(selector().terms().getFirst(), selector().terms().getFirst());
            return new NodeScope.MatchingNodes(new NodeSelector(terms));
        } else if (roll < 98) {
            return new NodeScope.OneNode(RandomNames.OTHER_NODE);
        }
        return new DeviceScope.AsSlice();
    }

    private NodeSelector selector() {
        if (random.chance(1)) {
            return MALFORMED;
        }
        return switch (random.between(0, 6)) {
            case 0 -> selector(requirement("zone", NodeSelectorOperator.Known.IN, "a", "b"));
            case 1 -> selector(requirement("zone", NodeSelectorOperator.Known.IN, "b", "a"));
            case 2 -> selector(requirement("zone", NodeSelectorOperator.Known.NOT_IN, "b"));
            case 3 -> selector(requirement("cores", NodeSelectorOperator.Known.GT, "4"));
            case 4 -> selector(requirement("cores", NodeSelectorOperator.Known.LT, "4"));
            case 5 -> selector(requirement("old", NodeSelectorOperator.Known.DOES_NOT_EXIST));
            default ->
                    random.chance(50)
                            ? NodeSelector.ofNode(RandomNames.NODE)
                            : selector(requirement("zone", NodeSelectorOperator.Known.EXISTS));
        };
    }

    private static NodeSelector selector(NodeSelectorRequirement requirement) {
        return new NodeSelector(List.of(new NodeSelectorTerm(List.of(requirement), List.of())));
    }

    private static NodeSelectorRequirement requirement(
            String key, NodeSelectorOperator operator, String... values) {
        return new NodeSelectorRequirement(key, operator, List.of(values));
    }
}
