package dev.berth.bench;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceClassSpec;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.node.NodeSpec;
import dev.berth.model.api.node.NodeStatus;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.CounterSet;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceCounterConsumption;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.ResourcePool;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.ResourceSliceSpec;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// One node with one pool of one driver: devices in search order, counters, and allocated devices.
///
/// Every device has an attribute `kind`, and each kind has a class of that name.
record SingleNodePool(List<Device> devices, List<CounterSet> counters, Set<DeviceId> busy) {

    static final String DRIVER = "hardware.example.com";
    static final String GROUP = DRIVER + "/group";
    private static final String NODE = "node-1";

    SingleNodePool {
        devices = List.copyOf(devices);
        counters = List.copyOf(counters);
        busy = Set.copyOf(busy);
    }

    static SingleNodePool of(List<Device> devices) {
        return new SingleNodePool(devices, List.of(), Set.of());
    }

    SingleNodePool withBusy(String... names) {
        var ids = new ArrayList<DeviceId>();
        for (var name : names) {
            ids.add(new DeviceId(DRIVER, NODE, name));
        }
        return new SingleNodePool(devices, counters, Set.copyOf(ids));
    }

    /// Devices that differ only in their names.
    static List<Device> equal(String kind, int count) {
        var devices = new ArrayList<Device>();
        for (var i = 0; i < count; i++) {
            devices.add(device(kind + "-" + i, kind, kind));
        }
        return devices;
    }

    static Device device(String name, String kind, String group) {
        return Device.named(name)
                .withAttributes(
                        Map.of(
                                "kind", new AttributeValue.StringValue(kind),
                                "group", new AttributeValue.StringValue(group)));
    }

    AllocationRequest request(List<ResourceClaim> claims) {
        var slices = new ArrayList<ResourceSlice>();
        var count = counters.isEmpty() ? 1 : 2;
        slices.add(slice("devices", count, devices, List.of()));
        if (!counters.isEmpty()) {
            slices.add(slice("counters", count, List.of(), counters));
        }
        return new AllocationRequest(
                Set.of(AllocatorFeature.values()),
                new Node(ObjectMeta.of(NODE), NodeSpec.EMPTY, NodeStatus.EMPTY),
                classes(),
                slices,
                new Holdings(busy, Set.of(), Map.of()),
                claims);
    }

    private static ResourceSlice slice(
            String name, int count, List<Device> devices, List<CounterSet> counters) {
        return new ResourceSlice(
                ObjectMeta.of(name),
                new ResourceSliceSpec(
                        DRIVER,
                        new ResourcePool(NODE, 1, count),
                        new NodeScope.OneNode(NODE),
                        devices,
                        counters,
                        Optional.empty(),
                        List.of()));
    }

    private static List<DeviceClass> classes() {
        var classes = new ArrayList<DeviceClass>();
        for (var kind : List.of("gpu", "nic", "1g", "2g", "3g", "4g", "7g", "none")) {
            var test =
                    "device.driver == \"%s\" && device.attributes[\"%s\"].kind == \"%s\""
                            .formatted(DRIVER, DRIVER, kind);
            classes.add(
                    new DeviceClass(
                            ObjectMeta.of(kind),
                            new DeviceClassSpec(
                                    List.of(new DeviceSelector.Cel(test)),
                                    List.of(),
                                    Optional.empty())));
        }
        return classes;
    }

    /// Order of partitions in the slice, which is the search order.
    enum Listing {
        BY_GPU,
        /// For each profile, the first placements of all GPUs before the second ones.
        BY_PROFILE
    }

    /// A partition profile: compute slices, memory slices, and start positions.
    enum Profile {
        ONE("1g", 1, 1, 7, 1),
        TWO("2g", 2, 2, 3, 2),
        THREE("3g", 3, 4, 2, 4),
        FOUR("4g", 4, 4, 1, 4),
        SEVEN("7g", 7, 8, 1, 8);

        private final String kind;
        private final int compute;
        private final int memory;
        private final int placements;
        private final int stride;

        Profile(String kind, int compute, int memory, int placements, int stride) {
            this.kind = kind;
            this.compute = compute;
            this.memory = memory;
            this.placements = placements;
            this.stride = stride;
        }
    }

    /// GPUs with eight memory slices and seven compute slices, published as partitions.
    static SingleNodePool partitioned(int gpus, Listing listing) {
        var devices = new ArrayList<Device>();
        var counters = new ArrayList<CounterSet>();
        for (var gpu = 0; gpu < gpus; gpu++) {
            counters.add(new CounterSet("gpu-" + gpu, wholeGpu()));
        }
        switch (listing) {
            case BY_GPU -> {
                for (var gpu = 0; gpu < gpus; gpu++) {
                    for (var profile : Profile.values()) {
                        for (var place = 0; place < profile.placements; place++) {
                            devices.add(partition(gpu, profile, place));
                        }
                    }
                }
            }
            case BY_PROFILE -> {
                for (var profile : Profile.values()) {
                    for (var place = 0; place < profile.placements; place++) {
                        for (var gpu = 0; gpu < gpus; gpu++) {
                            devices.add(partition(gpu, profile, place));
                        }
                    }
                }
            }
        }
        return new SingleNodePool(devices, counters, Set.of());
    }

    private static Map<String, Quantity> wholeGpu() {
        var counters = new LinkedHashMap<String, Quantity>();
        counters.put("compute", Quantity.of(7));
        for (var slice = 0; slice < 8; slice++) {
            counters.put("memory-slice-" + slice, Quantity.of(1));
        }
        return counters;
    }

    private static Device partition(int gpu, Profile profile, int place) {
        var start = place * profile.stride;
        var counters = new LinkedHashMap<String, Quantity>();
        counters.put("compute", Quantity.of(profile.compute));
        for (var slice = start; slice < start + profile.memory; slice++) {
            counters.put("memory-slice-" + slice, Quantity.of(1));
        }
        return device(
                        "gpu-%d-%s-%d".formatted(gpu, profile.kind, start),
                        profile.kind,
                        "gpu-" + gpu)
                .withConsumesCounters(
                        List.of(new DeviceCounterConsumption("gpu-" + gpu, counters, List.of())));
    }
}
