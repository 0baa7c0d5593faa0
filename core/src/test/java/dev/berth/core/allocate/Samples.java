package dev.berth.core.allocate;

import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceClassSpec;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.node.NodeSpec;
import dev.berth.model.api.node.NodeStatus;
import dev.berth.model.api.slice.CounterSet;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.ResourcePool;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.ResourceSliceSpec;
import java.util.List;
import java.util.Optional;

/// Small API objects for tests.
public final class Samples {

    static final String DRIVER = "gpu.example.com";

    private Samples() {}

    public static Node node(String name) {
        return new Node(ObjectMeta.of(name), NodeSpec.EMPTY, NodeStatus.EMPTY);
    }

    /// A class of all devices.
    public static DeviceClass anyClass(String name) {
        return new DeviceClass(
                ObjectMeta.of(name), new DeviceClassSpec(List.of(), List.of(), Optional.empty()));
    }

    public static ResourceClaim claim(String className, int count) {
        var request =
                new DeviceRequest.Exactly(
                        "request",
                        DeviceDemand.of(className, new AllocationCount.ExactCount(count)),
                        Optional.empty());
        return new ResourceClaim(
                ObjectMeta.of("default", "claim"),
                new ResourceClaimSpec(List.of(request), List.of(), List.of()),
                ResourceClaimStatus.EMPTY);
    }

    /// The pool of one node: a slice of devices and one of counters.
    public static List<ResourceSlice> slices(List<Device> devices, List<CounterSet> counters) {
        return List.of(
                slice("devices", devices, List.of()), slice("counters", List.of(), counters));
    }

    private static ResourceSlice slice(
            String name, List<Device> devices, List<CounterSet> counters) {
        return new ResourceSlice(
                ObjectMeta.of(name),
                new ResourceSliceSpec(
                        DRIVER,
                        new ResourcePool("node-1", 1, 2),
                        new NodeScope.OneNode("node-1"),
                        devices,
                        counters,
                        Optional.empty(),
                        List.of()));
    }
}
