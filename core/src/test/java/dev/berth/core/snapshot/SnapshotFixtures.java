package dev.berth.core.snapshot;

import dev.berth.core.place.PlacementRequest;
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
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.slice.CounterSet;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceCounterConsumption;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.ResourcePool;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.ResourceSliceSpec;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.DeviceTaintRule;
import dev.berth.model.api.taint.DeviceTaintRuleSpec;
import dev.berth.model.api.taint.DeviceTaintSelector;
import dev.berth.model.api.taint.TaintEffect;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Small objects for tests of snapshots.
public final class SnapshotFixtures {

    private static final String DRIVER = "gpu.example.com";

    private SnapshotFixtures() {}

    public static Node node(String name) {
        return new Node(ObjectMeta.of(name), NodeSpec.EMPTY, NodeStatus.EMPTY);
    }

    /// A pool of one slice.
    public static ResourceSlice slice(
            String name, String pool, NodeScope scope, String... devices) {
        return new ResourceSlice(
                ObjectMeta.of(name),
                new ResourceSliceSpec(
                        DRIVER,
                        new ResourcePool(pool, 1, 1),
                        scope,
                        Stream.of(devices).map(Device::named).toList(),
                        List.of(),
                        Optional.empty(),
                        List.of()));
    }

    /// A pool of one node: a GPU that can be partitioned into halves.
    public static List<ResourceSlice> halves(String node) {
        var half = new DeviceCounterConsumption("gpu", Map.of("halves", Quantity.of(1)), List.of());
        var devices =
                Stream.of("half-0", "half-1")
                        .map(name -> Device.named(name).withConsumesCounters(List.of(half)))
                        .toList();
        var counters = new CounterSet("gpu", Map.of("halves", Quantity.of(2)));
        return List.of(
                half(node, "devices", devices, List.of()),
                half(node, "counters", List.of(), List.of(counters)));
    }

    private static ResourceSlice half(
            String node, String name, List<Device> devices, List<CounterSet> counters) {
        return new ResourceSlice(
                ObjectMeta.of(node + "-" + name),
                new ResourceSliceSpec(
                        DRIVER,
                        new ResourcePool("halves", 1, 2),
                        new NodeScope.OneNode(node),
                        devices,
                        counters,
                        Optional.empty(),
                        List.of()));
    }

    public static DeviceClass gpuClass() {
        var selector = new DeviceSelector.Cel("device.driver == \"%s\"".formatted(DRIVER));
        return new DeviceClass(
                ObjectMeta.of("gpu"),
                new DeviceClassSpec(List.of(selector), List.of(), Optional.empty()));
    }

    public static DeviceTaintRule rule(DeviceTaintSelector selector) {
        var taint = new DeviceTaint("hot", "", TaintEffect.Known.NO_SCHEDULE, Optional.empty());
        return new DeviceTaintRule(
                ObjectMeta.of("rule"),
                new DeviceTaintRuleSpec(Optional.of(selector), taint),
                List.of());
    }

    /// A pod with a claim of the same name for one GPU.
    public static PlacementRequest request(String name) {
        var demand = DeviceDemand.of("gpu", new AllocationCount.ExactCount(1));
        var claim =
                new ResourceClaim(
                        ObjectMeta.of("default", name),
                        new ResourceClaimSpec(
                                List.of(new DeviceRequest.Exactly("gpu", demand, Optional.empty())),
                                List.of(),
                                List.of()),
                        ResourceClaimStatus.EMPTY);
        return new PlacementRequest(pod(name, name), List.of(), List.of(claim));
    }

    /// A pod that uses a claim.
    public static Pod pod(String name, String claim) {
        var yaml =
                """
                {apiVersion: v1, kind: Pod, metadata: {namespace: default, name: %1$s, uid: %1$s},
                 spec: {resourceClaims: [{name: gpu, resourceClaimName: %2$s}]}}
                """
                        .formatted(name, claim);
        if (!(YamlReader.read(yaml) instanceof ParseResult.Documents(var documents))) {
            throw new IllegalArgumentException(yaml);
        }
        var tree = (JsonObject) documents.getFirst().root();
        return new Codec().readTree(Kinds.POD, tree, UnknownFieldPolicy.STRICT).orThrow();
    }
}
