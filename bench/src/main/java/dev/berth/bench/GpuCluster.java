package dev.berth.bench;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceClassSpec;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.node.NodeSpec;
import dev.berth.model.api.node.NodeStatus;
import dev.berth.model.api.pod.Container;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodSpec;
import dev.berth.model.api.pod.PodStatus;
import dev.berth.model.api.pod.ResourceRequirements;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.CounterSet;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceCapacity;
import dev.berth.model.api.slice.DeviceCounterConsumption;
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
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/// A large cluster of equal nodes with 8 GPUs, of 19 possible partitions each, and 8 NICs.
///
/// Values are created for each device, as if just decoded. IDs differ between devices; everything
/// else is equal on all nodes.
final class GpuCluster {

    static final String GPU_DRIVER = "gpu.example.com";
    static final String NIC_DRIVER = "nic.example.com";
    static final int GPUS = 8;

    /// A slice may have 64 devices that consume counters, so three GPUs share a slice.
    private static final int GPUS_PER_SLICE = 3;

    /// A partition profile: compute slices, memory slices, possible start positions.
    private record Profile(String name, int compute, int memory, List<Integer> starts) {}

    private static final List<Profile> PROFILES =
            List.of(
                    new Profile("1g.10gb", 1, 1, List.of(0, 1, 2, 3, 4, 5, 6)),
                    new Profile("1g.10gb.me", 1, 1, List.of(0)),
                    new Profile("1g.20gb", 1, 2, List.of(0, 2, 4, 6)),
                    new Profile("2g.20gb", 2, 2, List.of(0, 2, 4)),
                    new Profile("3g.40gb", 3, 4, List.of(0, 4)),
                    new Profile("4g.40gb", 4, 4, List.of(0)),
                    new Profile("7g.80gb", 7, 8, List.of(0)));

    private GpuCluster() {}

    static String nodeName(int node) {
        return "node-%04d".formatted(node);
    }

    static Node node(int number) {
        var room =
                Map.of(
                        "cpu", Quantity.parse("192"),
                        "memory", Quantity.parse("2Ti"),
                        "pods", Quantity.parse("110"));
        return new Node(
                ObjectMeta.of(nodeName(number))
                        .withLabels(Map.of("kubernetes.io/hostname", nodeName(number))),
                NodeSpec.EMPTY,
                new NodeStatus(room, room, List.of(), List.of()));
    }

    /// All slices of a node: three of partitions, one of counters, one of NICs.
    static List<ResourceSlice> slices(int node, long generation) {
        var slices = new ArrayList<ResourceSlice>();
        var parts = (GPUS + GPUS_PER_SLICE - 1) / GPUS_PER_SLICE;
        for (var part = 0; part < parts; part++) {
            slices.add(partitions(node, part, generation));
        }
        var counters = new ArrayList<CounterSet>();
        for (var gpu = 0; gpu < GPUS; gpu++) {
            counters.add(new CounterSet("gpu-" + gpu, counters(7, 0, 8)));
        }
        slices.add(gpuSlice(node, "counters", generation, List.of(), counters));
        var nics = new ArrayList<Device>();
        for (var nic = 0; nic < GPUS; nic++) {
            nics.add(nic(node, nic));
        }
        slices.add(slice(node, NIC_DRIVER, "nics", generation, 1, nics, List.of()));
        return slices;
    }

    /// One of the three slices of partitions.
    static ResourceSlice partitions(int node, int part, long generation) {
        var devices = new ArrayList<Device>();
        var first = part * GPUS_PER_SLICE;
        for (var gpu = first; gpu < Math.min(GPUS, first + GPUS_PER_SLICE); gpu++) {
            for (var profile : PROFILES) {
                for (var start : profile.starts) {
                    devices.add(partition(node, gpu, profile, start));
                }
            }
        }
        return gpuSlice(node, "gpus-" + part, generation, devices, List.of());
    }

    private static ResourceSlice gpuSlice(
            int node,
            String name,
            long generation,
            List<Device> devices,
            List<CounterSet> counters) {
        return slice(node, GPU_DRIVER, name, generation, 4, devices, counters);
    }

    private static ResourceSlice slice(
            int node,
            String driver,
            String name,
            long generation,
            int count,
            List<Device> devices,
            List<CounterSet> counters) {
        return new ResourceSlice(
                ObjectMeta.of(nodeName(node) + "-" + driver + "-" + name),
                new ResourceSliceSpec(
                        driver,
                        new ResourcePool(nodeName(node), generation, count),
                        new NodeScope.OneNode(nodeName(node)),
                        devices,
                        counters,
                        Optional.empty(),
                        List.of()));
    }

    private static Map<String, Quantity> counters(int compute, int start, int memory) {
        var counters = new LinkedHashMap<String, Quantity>();
        counters.put("multiprocessors", Quantity.of(compute * 18L));
        for (var slice = start; slice < start + memory; slice++) {
            counters.put("memory-slice-" + slice, Quantity.of(1));
        }
        return counters;
    }

    private static Device partition(int node, int gpu, Profile profile, int start) {
        var name = "gpu-%d-%s-%d".formatted(gpu, profile.name.replace(".", "-"), start);
        var attributes = new LinkedHashMap<String, AttributeValue>();
        attributes.put("uuid", text(uuid(node, name)));
        attributes.put("type", text("mig"));
        attributes.put("profile", text(profile.name));
        attributes.put("parentIndex", new AttributeValue.IntValue(gpu));
        attributes.put("productName", text("Example H100 80GB HBM3"));
        attributes.put("brand", text("Example"));
        attributes.put("architecture", text("Hopper"));
        attributes.put("driverVersion", new AttributeValue.VersionValue("580.65.6"));
        attributes.put("cudaComputeCapability", new AttributeValue.VersionValue("9.0.0"));
        attributes.put("resource.kubernetes.io/pcieRoot", text("pci0000:0" + gpu));
        var capacity = new LinkedHashMap<String, DeviceCapacity>();
        capacity.put("memory", amount(profile.memory * 10 + "Gi"));
        capacity.put("multiprocessors", amount(String.valueOf(profile.compute * 18)));
        capacity.put("copyEngines", amount(String.valueOf(profile.compute)));
        return Device.named(name)
                .withAttributes(attributes)
                .withCapacity(capacity)
                .withConsumesCounters(
                        List.of(
                                new DeviceCounterConsumption(
                                        "gpu-" + gpu,
                                        counters(profile.compute, start, profile.memory),
                                        List.of())));
    }

    private static Device nic(int node, int nic) {
        var name = "nic-" + nic;
        var attributes = new LinkedHashMap<String, AttributeValue>();
        attributes.put("mac", text(uuid(node, name).substring(0, 17)));
        attributes.put("speed", text("400G"));
        attributes.put("rdma", new AttributeValue.BoolValue(true));
        attributes.put("resource.kubernetes.io/pcieRoot", text("pci0000:0" + nic));
        return Device.named(name).withAttributes(attributes);
    }

    private static String uuid(int node, String device) {
        return new UUID(node * 0x9E3779B97F4A7C15L, device.hashCode() * 0xC2B2AE3D27D4EB4FL)
                .toString();
    }

    private static AttributeValue text(String value) {
        return new AttributeValue.StringValue(new String(value.toCharArray()));
    }

    private static DeviceCapacity amount(String value) {
        return new DeviceCapacity(Quantity.parse(value), Optional.empty());
    }

    /// The whole cluster. Slices are added node by node, so that few exist at once.
    static ClusterSnapshot snapshot(int nodes, Set<AllocatorFeature> features) {
        var snapshot = ClusterSnapshot.empty(AllocatorFeature.rules(features)).with(gpuClass());
        for (var node = 0; node < nodes; node++) {
            snapshot = snapshot.with(node(node)).with(slices(node, 1));
        }
        return snapshot;
    }

    private static DeviceClass gpuClass() {
        var selector = new DeviceSelector.Cel("device.driver == \"%s\"".formatted(GPU_DRIVER));
        return new DeviceClass(
                ObjectMeta.of("gpu"),
                new DeviceClassSpec(List.of(selector), List.of(), Optional.empty()));
    }

    /// A pod that requests one device of a profile.
    static PlacementRequest requestOne(String name, String profile) {
        var selector =
                new DeviceSelector.Cel(
                        "device.attributes[\"%s\"].profile == \"%s\""
                                .formatted(GPU_DRIVER, profile));
        var demand =
                new DeviceDemand(
                        "gpu",
                        List.of(selector),
                        new AllocationCount.ExactCount(1),
                        List.of(),
                        Optional.empty(),
                        List.of());
        var claim =
                new ResourceClaim(
                        ObjectMeta.of("default", name),
                        new ResourceClaimSpec(
                                List.of(new DeviceRequest.Exactly("gpu", demand, Optional.empty())),
                                List.of(),
                                List.of()),
                        ResourceClaimStatus.EMPTY);
        return new PlacementRequest(pod(name), List.of(), List.of(claim));
    }

    private static Pod pod(String name) {
        var needs = Map.of("cpu", Quantity.parse("4"), "memory", Quantity.parse("16Gi"));
        var container =
                new Container(
                        "main",
                        "image",
                        new ResourceRequirements(needs, Map.of(), List.of()),
                        Optional.empty(),
                        List.of());
        return new Pod(
                ObjectMeta.of("default", name),
                new PodSpec(
                        "",
                        "",
                        List.of(),
                        List.of(),
                        List.of(container),
                        Optional.empty(),
                        Map.of(),
                        Map.of(),
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        List.of(),
                        OptionalLong.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        false,
                        List.of()),
                PodStatus.EMPTY);
    }
}
