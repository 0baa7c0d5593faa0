package dev.berth.core.utilisation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceClassSpec;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.node.NodeSpec;
import dev.berth.model.api.node.NodeStatus;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.CapacityRequestPolicy;
import dev.berth.model.api.slice.CounterSet;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceCapacity;
import dev.berth.model.api.slice.DeviceCounterConsumption;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.ResourcePool;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.ResourceSliceSpec;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class UtilisationCalculatorTest {

    private static final String DRIVER = "gpu.example.com";
    private static final Set<AllocatorFeature> FEATURES = Set.of(AllocatorFeature.values());

    private int claims;

    @Test
    void wholeDevicesCountAsDevices() {
        var snapshot =
                cluster()
                        .with(
                                slice(
                                        "a",
                                        List.of(located("x", 0), located("y", 0), located("z", 1))))
                        .with(claim("ml", "a", "x"));
        var gpu = gpu(snapshot);
        assertThat(gpu.total()).isEqualTo(new Utilisation(3, 1));
        assertThat(gpu.free()).isEqualTo(2);
        assertThat(gpu.namespaces()).containsExactly(Map.entry("ml", 1.0));
        assertThat(gpu.nodes())
                .containsExactly(Map.entry("a", new NodeUtilisation(new Utilisation(3, 1), 2)));
        assertThat(gpu.fits())
                .containsExactly(
                        new Fit(new FitSize.OnOneNode(1), 2, 2, true),
                        new Fit(new FitSize.OnOneNode(2), 1, 1, true),
                        new Fit(new FitSize.OnOneNumaNode(1), 2, 2, true),
                        new Fit(new FitSize.OnOneNumaNode(2), 0, 1, true));
    }

    @Test
    void freeDevicesOfSeveralNodesFitOnlyTogether() {
        var snapshot =
                cluster()
                        .with(slice("a", List.of(Device.named("x"), Device.named("y"))))
                        .with(slice("b", List.of(Device.named("x"), Device.named("y"))))
                        .with(claim("ml", "a", "x"))
                        .with(claim("ml", "b", "y"));
        assertThat(gpu(snapshot).fit(new FitSize.OnOneNode(2)))
                .contains(new Fit(new FitSize.OnOneNode(2), 0, 1, true));
    }

    @Test
    void partitionsCountByTheMostUsedCounter() {
        var snapshot = partitioned();
        assertThat(gpu(snapshot).total()).isEqualTo(new Utilisation(1, 0));
        var held = snapshot.with(claim("ml", "a", "half-0")).with(claim("web", "a", "slot-3"));
        var gpu = gpu(held);
        // Two of four slices and one more; memory 40 + 10 of 80.
        assertThat(gpu.total().inUse()).isCloseTo(0.75, within(1e-9));
        assertThat(gpu.namespaces().get("ml")).isCloseTo(0.5, within(1e-9));
        assertThat(gpu.namespaces().get("web")).isCloseTo(0.25, within(1e-9));
        assertThat(gpu.partlyUsed()).isEqualTo(1);
        assertThat(gpu.fit(new FitSize.Partition("quarter")).orElseThrow().now()).isEqualTo(1);
        assertThat(gpu.fit(new FitSize.Partition("half")).orElseThrow().now()).isZero();
    }

    @Test
    void fragmentedPartitionsFitTogether() {
        var held = partitioned().with(claim("ml", "a", "slot-0")).with(claim("ml", "a", "slot-2"));
        assertThat(gpu(held).fit(new FitSize.Partition("half")))
                .contains(new Fit(new FitSize.Partition("half"), 0, 1, true));
    }

    @Test
    void sharedDevicesCountByConsumedCapacity() {
        var memory =
                new DeviceCapacity(
                        Quantity.parse("80Gi"),
                        Optional.of(
                                new CapacityRequestPolicy.AnyAmount(
                                        Optional.of(Quantity.parse("20Gi")))));
        var device =
                Device.named("x").withCapacity(Map.of("memory", memory)).withMultipleAllocations();
        var snapshot = cluster().with(slice("a", List.of(device))).with(share("ml", "x", "60Gi"));
        var gpu = gpu(snapshot);
        assertThat(gpu.total()).isEqualTo(new Utilisation(1, 0.75));
        assertThat(gpu.total().percent()).isEqualTo(75);
        assertThat(gpu.fit(new FitSize.OnOneNode(1)).orElseThrow().now()).isEqualTo(1);
    }

    @Test
    void adminAccessIsNoUse() {
        var admin =
                claim(
                        "ops",
                        new AllocatedDevice(
                                "r",
                                new DeviceId(DRIVER, "a", "x"),
                                Optional.of(true),
                                List.of(),
                                List.of(),
                                List.of(),
                                Optional.empty(),
                                Map.of(),
                                List.of()));
        var gpu = gpu(cluster().with(slice("a", List.of(Device.named("x")))).with(admin));
        assertThat(gpu.total()).isEqualTo(new Utilisation(1, 0));
        assertThat(gpu.adminAccess()).isEqualTo(1);
        assertThat(gpu.namespaces()).isEmpty();
    }

    @Test
    void devicesOfCordonedNodesAreUnavailable() {
        var cordoned =
                new Node(ObjectMeta.of("a"), new NodeSpec(true, List.of()), NodeStatus.EMPTY);
        var gpu = gpu(cluster().with(slice("a", List.of(Device.named("x")))).with(cordoned));
        assertThat(gpu.unavailable()).isEqualTo(1);
        assertThat(gpu.fit(new FitSize.OnOneNode(1)).orElseThrow().now()).isZero();
    }

    @Test
    void requestsOfPendingPodsAreSizes() {
        var snapshot =
                cluster()
                        .with(
                                slice(
                                        "a",
                                        List.of(
                                                located("x", 0),
                                                located("y", 0),
                                                located("z", 0))));
        var plain = DeviceDemand.of("gpu", new AllocationCount.ExactCount(3));
        var selecting =
                new DeviceDemand(
                        "gpu",
                        List.of(new DeviceSelector.Cel("false")),
                        new AllocationCount.ExactCount(1),
                        List.of(),
                        Optional.empty(),
                        List.of());
        var gpu = calculator().of(snapshot, List.of(plain, selecting)).of("gpu").orElseThrow();
        assertThat(gpu.fit(new FitSize.OnOneNode(3)).orElseThrow().now()).isEqualTo(1);
        assertThat(gpu.fit(new FitSize.Requested(1, selecting)).orElseThrow().now()).isZero();
    }

    private static UtilisationCalculator calculator() {
        return new UtilisationCalculator(new Allocator(Allocator.DEFAULT_BUDGET), FEATURES);
    }

    private static ClassUtilisation gpu(ClusterSnapshot snapshot) {
        return calculator().of(snapshot).of("gpu").orElseThrow();
    }

    private static ClusterSnapshot cluster() {
        var any = new DeviceClassSpec(List.of(), List.of(), Optional.empty());
        return ClusterSnapshot.empty(AllocatorFeature.rules(FEATURES))
                .with(new Node(ObjectMeta.of("a"), NodeSpec.EMPTY, NodeStatus.EMPTY))
                .with(new Node(ObjectMeta.of("b"), NodeSpec.EMPTY, NodeStatus.EMPTY))
                .with(new DeviceClass(ObjectMeta.of("gpu"), any));
    }

    private static Device located(String name, long numaNode) {
        return Device.named(name)
                .withAttributes(
                        Map.of(
                                "resource.kubernetes.io/numaNode",
                                new AttributeValue.IntValue(numaNode)));
    }

    /// A GPU with four slices: four quarters and two halves.
    private static ClusterSnapshot partitioned() {
        var devices = new ArrayList<Device>();
        for (var i = 0; i < 4; i++) {
            devices.add(partition("slot-" + i, "quarter", "10Gi", i, 1));
        }
        devices.add(partition("half-0", "half", "40Gi", 0, 2));
        devices.add(partition("half-2", "half", "40Gi", 2, 2));
        var totals = new TreeMap<>(Map.of("memory", Quantity.parse("80Gi")));
        for (var i = 0; i < 4; i++) {
            totals.put("slice-" + i, Quantity.of(1));
        }
        return cluster()
                .with(
                        List.of(
                                slice("a", "devices", 2, devices, List.of()),
                                slice(
                                        "a",
                                        "counters",
                                        2,
                                        List.of(),
                                        List.of(new CounterSet("gpu-0", totals)))));
    }

    private static Device partition(
            String name, String profile, String memory, int from, int size) {
        var amounts = new TreeMap<>(Map.of("memory", Quantity.parse(memory)));
        for (var i = from; i < from + size; i++) {
            amounts.put("slice-" + i, Quantity.of(1));
        }
        return Device.named(name)
                .withAttributes(Map.of("profile", new AttributeValue.StringValue(profile)))
                .withConsumesCounters(
                        List.of(new DeviceCounterConsumption("gpu-0", amounts, List.of())));
    }

    private static ResourceSlice slice(String node, List<Device> devices) {
        return slice(node, "devices", 1, devices, List.of());
    }

    private static ResourceSlice slice(
            String node, String name, int count, List<Device> devices, List<CounterSet> counters) {
        return new ResourceSlice(
                ObjectMeta.of(node + "-" + name),
                new ResourceSliceSpec(
                        DRIVER,
                        new ResourcePool(node, 1, count),
                        new NodeScope.OneNode(node),
                        devices,
                        counters,
                        Optional.empty(),
                        List.of()));
    }

    private ResourceClaim claim(String namespace, String pool, String device) {
        return claim(namespace, allocated(pool, device, Optional.empty(), Map.of()));
    }

    private ResourceClaim share(String namespace, String device, String memory) {
        var consumed = Map.of("memory", Quantity.parse(memory));
        return claim(namespace, allocated("a", device, Optional.of("share"), consumed));
    }

    private static AllocatedDevice allocated(
            String pool, String device, Optional<String> share, Map<String, Quantity> consumed) {
        return new AllocatedDevice(
                "r",
                new DeviceId(DRIVER, pool, device),
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                share,
                consumed,
                List.of());
    }

    private ResourceClaim claim(String namespace, AllocatedDevice device) {
        var result =
                new AllocationResult(
                        List.of(device), List.of(), Optional.empty(), Optional.empty());
        return new ResourceClaim(
                ObjectMeta.of(namespace, "claim-" + claims++),
                ResourceClaimSpec.EMPTY,
                new ResourceClaimStatus(Optional.of(result), List.of(), List.of()));
    }
}
